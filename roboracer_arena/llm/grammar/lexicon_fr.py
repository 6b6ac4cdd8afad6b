"""French words of track requests."""

from __future__ import annotations

from roboracer_arena.llm.grammar.tokens import Kind

__all__ = ["FRENCH"]

FRENCH: dict[Kind, str] = {
    Kind.LAP: "tour|boucle|longueur du tour|longueur du circuit|longueur totale"
    "|longueur de la piste"
    "|longueur d un tour|périmètre|tour de piste|longueur de tour|par tour",
    Kind.LAPS: "tours",
    Kind.TRACK: "circuit|piste|parcours|tracé|course|circuit fermé|anneau",
    Kind.CORRIDOR: "couloir|voie|chaussée|entre les murs|route",
    Kind.HALL: "salle|halle|hall|gymnase|espace|hangar|local|pièce|terrain|entrepôt|garage|surface",
    Kind.HALL_X: "longueur de la salle|longueur du gymnase",
    Kind.HALL_Y: "largeur de la salle|largeur du gymnase|profondeur",
    Kind.RADIUS: "rayon|rayons|rayon de courbure|rayon minimal|rayon minimum|rayon de virage"
    "|plus petit rayon|virage le plus serré",
    Kind.STRAIGHT: "ligne droite|lignes droites|plus longue ligne droite|droite|droites"
    "|ligne droite la plus longue",
    Kind.HAIRPIN: "épingle(s)|épingle à cheveux|épingles à cheveux|virage en épingle"
    "|virages en épingle|demi tour|demi tours",
    Kind.CHICANE: "chicane(s)|virage en s|virages en s",
    Kind.SWEEPER: "grande courbe|grandes courbes|courbe rapide|courbes rapides|longue courbe"
    "|longues courbes|courbe(s)",
    Kind.TURN: "virage(s)|tournant(s)",
    Kind.OTHER: "voiture(s)|véhicule(s)|mur(s)|hauteur|plafond|diamètre|écart|porte(s)|graine"
    "|personnes|étudiants|élèves|épaisseur|table(s)|robot(s)",
    Kind.LENGTH: "longueur|taille|dimensions",
    Kind.LONG: "long|longue|de long|longs|longues|de longueur",
    Kind.WIDTH: "largeur|largeur de piste|largeur du couloir|largeur de la piste"
    "|largeur du circuit",
    Kind.WIDE: "large|de large|larges|de largeur",
    Kind.DEEP: "de profondeur|profond",
    Kind.TIGHTER: "plus serré que|plus serré de",
    Kind.CW: "sens horaire|dans le sens horaire|sens des aiguilles d une montre"
    "|dans le sens des aiguilles d une montre|horaire",
    Kind.CCW: "sens antihoraire|anti horaire|antihoraire|sens anti horaire|dans le sens antihoraire"
    "|dans le sens anti horaire|sens inverse des aiguilles d une montre|sens trigonométrique"
    "|sens contraire des aiguilles d une montre|dans le sens inverse des aiguilles d une montre",
    Kind.AWAY: "de haut|d épaisseur|de hauteur|haut|haute",
    Kind.THE: "le|la|les|l|ce|cette|ces|notre|nos|mon|ma|mes|son|sa",
    Kind.VAGUE: "quelques|plusieurs|des|beaucoup de|certains|certaines",
    Kind.NONE: "sans|aucun|aucune|pas de|pas d|pas|ni|ne|jamais",
    Kind.MIN: "au moins|minimum|minimal|minimale|au minimum|pas moins de|plus de|plus long que:LONG"
    "|plus large que:WIDE",
    Kind.MAX: "au plus|maximum|maximal|maximale|au maximum|jusqu à|moins de|pas plus de",
    Kind.OR_MORE: "ou plus",
    Kind.OR_LESS: "ou moins",
    Kind.ABOUT: "environ|à peu près|autour de|près de|presque|exactement",
    Kind.BY: "sur|par|fois|x",
    Kind.TO: "à",
    Kind.BETWEEN: "entre",
    Kind.AND: "et|ainsi que|plus",
    Kind.OR: "ou",
    Kind.BUT: "mais",
    Kind.THEN: "puis|ensuite|suivi de|suivie de|suivi d|suivie d|et puis|enfin|d abord|après cela",
    Kind.BEFORE: "avant",
    Kind.AFTER: "après",
    Kind.ORDER: "dans cet ordre|dans l ordre|ordre",
    Kind.NO_ORDER: "dans n importe quel ordre|ordre libre",
    Kind.OF: "de|du|d",
    Kind.IS: "est|sont|soit|doit être|mesure|fait|faisant|mesurant|a|ayant|être",
    Kind.WITH: "avec|comprenant|comportant",
    Kind.PREPOSITION: "dans|pour|en|au|aux|chez|que|qui|si|car",
    Kind.NUMBER_OF: "nombre de|nombre d",
    Kind.ADJECTIVE: "serré|serrée|serrées|serrés|rapide|rapides|petit|petite|grand|grande|grandes"
    "|lent|court|courte|fermé|rectangulaire|simple|technique|beau|belle|longue|intérieur|entier",
    Kind.STOP: "je|nous|il|elle|on|veux|voudrais|voudrait|voulons|besoin|faire|fais|génère|générer"
    "|crée|créer|dessine|dessiner|construis|s|vous|plaît|te|merci|bonjour|sens|direction|total"
    "|y|tout|toute|même|aussi|se|m|c|n|j|qu",
}
"""Phrases by kind; see :data:`roboracer_arena.llm.grammar.lexicon.LANGUAGES`."""
