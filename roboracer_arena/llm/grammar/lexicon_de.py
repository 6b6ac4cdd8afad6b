"""German words of track requests."""

from __future__ import annotations

from roboracer_arena.llm.grammar.tokens import Kind

__all__ = ["GERMAN"]

GERMAN: dict[Kind, str] = {
    Kind.LAP: "runde|rundenlänge|streckenlänge|rundkurslänge|gesamtlänge|bahnlänge|rundenstrecke"
    "|länge der runde|länge der strecke|umfang|pro runde|kurslänge",
    Kind.LAPS: "runden",
    Kind.TRACK: "strecke|rennstrecke|kurs|rundkurs|parcours|bahn|piste|rennbahn|teststrecke|rennen"
    "|rundstrecke|strecken",
    Kind.CORRIDOR: "korridor|fahrbahn|spur|fahrspur|gang|zwischen den wänden",
    Kind.HALL: "halle|raum|saal|turnhalle|sporthalle|platz|fläche|hallenmaß|hallengröße|lagerhalle"
    "|zimmer|keller|werkstatt|garage|labor|aula|messehalle|hallenfläche|feld",
    Kind.HALL_X: "hallenlänge|länge der halle|raumlänge",
    Kind.HALL_Y: "hallenbreite|breite der halle|raumbreite|hallentiefe",
    Kind.RADIUS: "radius|kurvenradius|radien|wenderadius|mindestradius:MIN|minimalradius:MIN"
    "|kleinster radius|minimaler radius|kleinste kurve|engste kurve|mindestkurvenradius:MIN",
    Kind.STRAIGHT: "gerade(n)|längste gerade|hauptgerade|zielgerade|start ziel gerade|geraden"
    "|längsten geraden|längster gerade",
    Kind.HAIRPIN: "haarnadelkurve(n)|haarnadel(n)|haarnadeln|spitzkehre(n)|kehre(n)"
    "|haarnadelkehre(n)"
    "|180 grad kurve(n)|180 grad kehre(n)|180 ° kurve(n)|180 ° kehre(n)",
    Kind.CHICANE: "schikane(n)|s kurve(n)",
    Kind.SWEEPER: "lange kurve(n)|langgezogene kurve(n)|langgezogenen kurve(n)|weite kurve(n)"
    "|langen kurve(n)|schnelle bögen|weiten kurve(n)|große bögen|weiter bogen",
    Kind.TURN: "kurve(n)|ecke(n)|biegung(en)",
    Kind.OTHER: "auto(s)|fahrzeug(e)|wand|wände|höhe|decke|durchmesser|abstand|tür|tisch(e)"
    "|startwert"
    "|personen|leute|schüler|studenten|wandstärke|dicke|roboter",
    Kind.LENGTH: "länge|größe|maße",
    Kind.LONG: "lang|lange|langer|langes|langen|in der länge",
    Kind.WIDTH: "breite|streckenbreite|korridorbreite|fahrbahnbreite|spurbreite|bahnbreite"
    "|breite der strecke|kursbreite",
    Kind.WIDE: "breit|breite strecke|breiter|breites|breiten|in der breite",
    Kind.DEEP: "tief|tiefe",
    Kind.TIGHTER: "enger als|schärfer als",
    Kind.CW: "im uhrzeigersinn|mit dem uhrzeigersinn|rechtsherum|rechtsrum|rechts herum",
    Kind.CCW: "gegen den uhrzeigersinn|gegen uhrzeigersinn|entgegen dem uhrzeigersinn|linksherum"
    "|linksrum|links herum|gegenuhrzeigersinn|im gegenuhrzeigersinn",
    Kind.EITHER: "beide richtungen|egal welche richtung|richtung egal|beliebige richtung",
    Kind.AWAY: "hoch|dick|entfernt|auseinander|weg",
    Kind.COUPLE: "ein paar kurven|zwei stück",
    Kind.THE: "der|die|das|den|dem|des|dieser|diese|dieses|unser|unsere|unserer|mein|meine|ihre",
    Kind.VAGUE: "einige|ein paar|mehrere|viele|manche|etliche|paar|wenige",
    Kind.NONE: "kein|keine|keinen|keiner|ohne|nicht|keinerlei|ohne eine|weder|noch",
    Kind.MIN: "mindestens|wenigstens|minimal|minimum|nicht unter|nicht weniger als|mehr als|über"
    "|länger als:LONG|breiter als:WIDE|minimale|minimaler|nicht kürzer als:LONG",
    Kind.MAX: "höchstens|maximal|maximum|bis zu|nicht mehr als|weniger als|unter|nicht über"
    "|kürzer als:LONG|schmaler als:WIDE|maximale|maximaler|nicht länger als:LONG",
    Kind.OR_MORE: "oder mehr|oder länger",
    Kind.OR_LESS: "oder weniger|oder kürzer",
    Kind.ABOUT: "etwa|ungefähr|circa|rund|zirka|knapp|genau|um die|in etwa",
    Kind.BY: "mal|auf|x",
    Kind.TO: "bis",
    Kind.BETWEEN: "zwischen",
    Kind.FROM: "im bereich",
    Kind.AND: "und|sowie|plus",
    Kind.OR: "oder",
    Kind.BUT: "aber|jedoch|sondern|doch",
    Kind.THEN: "dann|danach|gefolgt von|anschließend|schließlich|zuerst|zuletzt|als nächstes"
    "|und dann",
    Kind.BEFORE: "vor der|vor einer|bevor",
    Kind.AFTER: "nach der|nach einer|hinter der",
    Kind.ORDER: "in dieser reihenfolge|reihenfolge|in der reihenfolge|beginnend mit",
    Kind.NO_ORDER: "beliebige reihenfolge|in beliebiger reihenfolge|reihenfolge egal",
    Kind.OF: "von",
    Kind.IS: "ist|sind|sei|soll|sollte|soll sein|beträgt|hat|haben|misst|sein|werden|wird|muss"
    "|müssen"
    "|sollen|sollten",
    Kind.WITH: "mit|samt",
    Kind.PREPOSITION: "in|im|für|auf einer|bei|am|an|aus|zu|zum|zur|ins|damit|weil|da|wenn|als|je",
    Kind.NUMBER_OF: "anzahl|anzahl der|zahl der|anzahl an",
    Kind.ADJECTIVE: "eng|enge|engen|schnelle|schnellen|scharfe|scharfen|flüssige|kleine|kleinen"
    "|große"
    "|großen|großer|weitere|gut|schöne|schönen|schnell|kurze|kurz|anspruchsvolle|nette|rechteckige"
    "|geschlossene|einfache|schwierige|weit|weite|schmale|schmal|breiten",
    Kind.STOP: "bitte|ich|wir|es|sie|brauche|brauchen|möchte|möchten|hätte|hätten|gern|gerne|will"
    "|wollen|erzeuge|baue|mache|erstelle|generiere|man|gib|uns|mir|richtung|fahrtrichtung|insgesamt"
    "|dabei|auch|nur|irgendwo|etwas|hallo|danke|gefahren|wünsche|plane|zeichne|noch eine|so"
    "|gefahrene",
}
"""Phrases by kind; see :data:`roboracer_arena.llm.grammar.lexicon.LANGUAGES`."""
