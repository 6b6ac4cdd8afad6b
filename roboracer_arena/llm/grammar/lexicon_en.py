"""English words of track requests."""

from __future__ import annotations

from roboracer_arena.llm.grammar.tokens import Kind

__all__ = ["ENGLISH"]

ENGLISH: dict[Kind, str] = {
    Kind.LAP: "lap|l =|loop|lap length|lap distance|lap length m|track length|circuit length"
    "|loop length"
    "|course length|route length|circumference|perimeter|total length|overall length|full lap"
    "|length of (the )lap|length of a lap|length of one lap|length of each lap"
    "|length of (the )track|length of (the )circuit"
    "|length of (the )loop|length of (the )course|one lap|each lap|per lap|a lap"
    "|centreline length|centerline length|centre line length|center line length|length of lap"
    "|driving distance|round trip|round",
    Kind.LAPS: "laps|rounds|loops",
    Kind.TRACK: "track|circuit|course|racetrack|race track|racecourse|race course|raceway"
    "|layout|route|racing circuit|oval|kart track|speedway|race circuit|test track|tracks"
    "|circuits|layouts|racing track|practice track|raceline|race|racing|racer|roboracer",
    Kind.CORRIDOR: "corridor|lane|passage|road|roadway|carriageway|driving surface|tarmac"
    "|drivable width|drivable corridor|between (the )walls|between (the )barriers"
    "|between (the )ducts|between (the )hoses|between (the )tubes|wall to wall"
    "|from wall to wall|corridors|drivable area width",
    Kind.HALL: "hall|room|space|gym|gymnasium|arena|area|venue|warehouse|garage|footprint"
    "|sports hall|court|lab|laboratory|classroom|parking lot|car park|bounding box|plot|site"
    "|field|pitch|available space|floor space|floor|hangar|workshop|basement|cellar|studio|office"
    "|cafeteria|canteen|lobby|foyer|atrium|auditorium|courtyard|patio|barn|shed|loft|attic|tent"
    "|rectangle|premises|rink|zone|place|building|stadium|hallway|exhibition hall|box|arena floor"
    "|hall size|room size|theatre|theater|kitchen|living room|ballroom|halls|indoor space"
    "|event space|ground(s)|lecture hall|gym hall|storage room|store room|church|marquee",
    Kind.HALL_X: "hall x|hall x m|hall length|room length|length of (the )hall"
    "|length of (the )room|hall is x",
    Kind.HALL_Y: "hall y|hall y m|hall depth|room depth|depth of (the )hall|depth of (the )room",
    Kind.RADIUS: "radius|r =|radii|min radius|turning radius|turn radius|corner radius|bend radius"
    "|curve radius|minimum radius m|min radius m|radius of curvature|curvature radius"
    "|tightest radius|tightest corner radius|tightest turn radius|tightest corner|tightest turn"
    "|tightest bend"
    "|tightest curve|smallest radius|sharpest corner|sharpest turn|sharpest bend"
    "|smallest corner radius|smallest turn radius|turning circle radius",
    Kind.STRAIGHT: "straight(s)|longest straight|longest straight m|main straight(s)"
    "|straightaway(s)"
    "|straight away|straight section(s)|home straight|back straight|straight line|straight stretch"
    "|start straight|finish straight|start finish straight|straight part|straight bit"
    "|front straight"
    "|longest straight section|longest straightaway|straight segment|drag straight|speed straight",
    Kind.HAIRPIN: "hairpin(s)|hair pin(s)|hairpin turn(s)|hairpin bend(s)|hairpin corner(s)"
    "|hairpin curve(s)|u turn(s)|uturn(s)|u bend(s)|switchback(s)|180 turn(s)|180 degree turn(s)"
    "|180 degree corner(s)|180 degree bend(s)|180 degree curve(s)|180 ° turn(s)|180 ° corner(s)"
    "|180 ° bend(s)|180 degree hairpin(s)|180 ° hairpin(s)|180 ° curve(s)|180 deg turn(s)"
    "|180 deg corner(s)",
    Kind.CHICANE: "chicane(s)|s bend(s)|s curve(s)|s turn(s)|esses|chicaine(s)|s shaped bend(s)"
    "|s shaped curve(s)|s section(s)",
    Kind.SWEEPER: "sweeper(s)|sweeping turn(s)|sweeping curve(s)|sweeping bend(s)"
    "|sweeping corner(s)|long curve(s)|long bend(s)|long sweeping curve(s)|long sweeping corner(s)"
    "|long sweeping bend(s)|long sweeping turn(s)|sweep(s)|fast sweeping corner(s)"
    "|sweeper turn(s)|sweeper corner(s)|sweeper bend(s)|wide sweeping curve(s)"
    "|fast sweeping turn(s)|fast sweeping bend(s)|fast sweeping curve(s)",
    Kind.TURN: "turn(s)|corner(s)|bend(s)|curve(s)|turning(s)|left turn(s)|right turn(s)"
    "|left hander(s)|right hander(s)|kink(s)|cornering",
    Kind.OTHER: "car(s)|vehicle(s)|robot(s)|wall(s)|barrier(s)|duct(s)|tube(s)|hose(s)|pipe(s)"
    "|height|ceiling|wheelbase|diameter|gap|spacing|thickness|door(s)|table(s)|resolution|cell(s)"
    "|margin|clearance|cone(s)|pillar(s)|column(s)|chair(s)|budget|seed|lap time(s)|laptime(s)"
    "|speed|top speed|distance|tyre(s)|tire(s)|battery|people|student(s)|team(s)|hour(s)|minute(s)"
    "|version|day(s)|person(s)|kids|children|spectator(s)|driver(s)|lidar|scan(s)|wall thickness"
    "|duct diameter|sensor|camera(s)|banner(s)|stand(s)|friction|mass|weight|temperature|time"
    "|lap record|race time|phone|extension|window(s)|stage|podium|carpet(s)|mat(s)|tile(s)",
    Kind.LENGTH: "length|long side|size|dimension(s)",
    Kind.LONG: "long|in length|lengthwise|around in total|longer|overall|end to end|lengthways",
    Kind.WIDTH: "width|w =|breadth|corridor width|corridor width m|track width|lane width"
    "|road width"
    "|width of (the )track|width of (the )corridor|width of (the )lane|width of (the )road"
    "|drivable width|driving width|circuit width|course width|clear width|passage width"
    "|width between (the )walls|roadway width",
    Kind.WIDE: "wide|broad|in width|across|width wise|in breadth",
    Kind.DEEP: "deep|in depth|depth",
    Kind.SQUARE: "square",
    Kind.TIGHTER: "tighter than|sharper than|smaller radius than|tighter radius than"
    "|smaller in radius than|tighter",
    Kind.CW: "clockwise|cw|clock wise|right hand direction|right hand circuit|right hand track"
    "|right hand loop|right hand course|turning right all the way|clockwise direction"
    "|clockwise sense|right handed track|right handed circuit|right hand running"
    "|clockwise running|right handed loop|with the clock",
    Kind.CCW: "counterclockwise|counter clockwise|anticlockwise|anti clockwise|ccw|acw"
    "|left hand direction|left hand circuit|left hand track|left hand loop|left hand course"
    "|left handed track|left handed circuit|left handed loop|left hand running|counter clock wise"
    "|contraclockwise|contra clockwise|against the clock|turning left all the way|anti clock wise"
    "|counterclock wise",
    Kind.EITHER: "either direction|either way|both directions|both ways|any direction|either"
    "|direction does not matter|direction doesn't matter",
    Kind.AWAY: "high|tall|thick|away|apart|above the|below the|from the|from a|from our"
    "|from here|off"
    "|behind|ahead|per|each side|in height"
    "|in diameter|diameter|up|down|further|outside|beyond|every|taller|higher",
    Kind.COUPLE: "a couple of|couple of|a couple|a pair of|pair of|pair|couple",
    Kind.DOUBLE: "double|twin",
    Kind.TRIPLE: "triple",
    Kind.ARTICLE: "a|an",
    Kind.ANOTHER: "another|one more|a further|an additional|an extra|a second|a third|one other",
    Kind.THE: "the|this|that|these|those|its|our|my|your|their|one of the|first of the|which",
    Kind.VAGUE: "some|a few|few|several|many|lots of|plenty of|multiple|a lot of|various|numerous"
    "|a number of|a bunch of|a handful of|enough|any number of|loads of|mostly|too many"
    "|a set of|a series of|sets of|a mix of|as many|how many",
    Kind.NONE: "no|not|without|none|without any|no more|not any|never|nothing|don't|do not|avoid"
    "|avoiding|neither|nor|excluding|exclude|leave out|skip|skipping|omit|omitting|forbidden"
    "|isn't|aren't|not a|not a single|without a single|lacking|minus any|devoid of|no single"
    "|free of|free from|w/o|sans|rather not|can't|cannot|won't|shouldn't|mustn't",
    Kind.FREE: "free|less",
    Kind.MIN: "at least|above|minimum|min|minimal|no less than|not less than|no shorter than:LONG"
    "|not shorter than:LONG|no narrower than:WIDE|not narrower than:WIDE|no fewer than"
    "|not fewer than|no smaller than|not smaller than|more than|over|longer than:LONG"
    "|wider than:WIDE|greater than|larger than|bigger than|minimum of|a minimum of|at minimum"
    "|>=|≥|exceeding|not below|never below|never less than|starting from|not under"
    "|or above|at the very least|smallest|lower limit|upwards of",
    Kind.MAX: "at most|below|not exceed|must not exceed|may not exceed|should not exceed"
    "|don't exceed|do not exceed|never exceed|cannot exceed|can't exceed"
    "|maximum|max|maximal|no more than|not more than|no longer than:LONG"
    "|not longer than:LONG|no wider than:WIDE|not wider than:WIDE|up to|under|less than"
    "|fewer than|shorter than:LONG|narrower than:WIDE|smaller than|not exceeding|maximum of"
    "|a maximum of|at maximum|<=|≤|not above|no greater than|no larger than|not larger than"
    "|limited to|not over|capped at|upper limit|largest|as much as|never more than",
    Kind.OR_MORE: "or more|or longer|or wider|or larger|or greater|or bigger|or so much more|and up"
    "|+|plus|and more|and above|or above|or over",
    Kind.OR_LESS: "or less|or shorter|or fewer|or narrower|or smaller|or under|or below",
    Kind.ABOUT: "about|around|approximately|approx|roughly|ca|circa|~|≈|nearly|almost"
    "|close to|something like|more or less|or so|ish|in the region of|in the order of|say"
    "|give or take|somewhere around|just|exactly|precisely|only|an estimated|some where around",
    Kind.PLUS_MINUS: "±|plus minus|plus or minus|give or take|+/-",
    Kind.BY: "by|x|*|×|times",
    Kind.TO: "to|till|until|through|up to about|and up to|..|...",
    Kind.BETWEEN: "between|somewhere between|in between",
    Kind.FROM: "from|ranging from|anywhere from|in the range of|in the range|range|range of",
    Kind.AND: "and|&|plus|as well as|together with|along with|also|and also",
    Kind.OR: "or",
    Kind.BUT: "but|however|though|although|yet|except|rather than|instead of|instead",
    Kind.THEN: "then|ends with|ends in|and ends with|and ends in|and then|followed by|after that"
    "|next|and next|>|->|=>|leading into"
    "|leading to|into|first|firstly|second|secondly|third"
    "|thirdly|fourth|finally|and finally|lastly"
    "|and lastly|last|afterwards|after which|subsequently|ending with|and end with|finishing with"
    "|comes next|later|and after that|fifth",
    Kind.BEFORE: "before|ahead of|prior to|preceding|precedes|right before|just before|comes before"
    "|preceded by:THEN",
    Kind.AFTER: "after|following|right after|just after|comes after|behind the|directly after"
    "|follows"
    "|immediately after|once past",
    Kind.ORDER: "in that order|in this order|in the order|in order|order|feature order|sequence"
    "|in sequence|in this sequence|in the sequence|in that sequence|starting with|beginning with"
    "|start with|begin with|starts with|begins with|in exactly that order|in exactly this order"
    "|in the following order|in the given order|in that exact order|in this exact order"
    "|driven in this order|one after another",
    Kind.NO_ORDER: "in any order|any order|in no particular order|no particular order"
    "|in whatever order|order does not matter|order doesn't matter|the order does not matter"
    "|the order doesn't matter|regardless of order|in whichever order|order is not important"
    "|order is free",
    Kind.OF: "of",
    Kind.IS: "is|are|be|should be|shall be|must be|will be|to be|being|was|were|has to be"
    "|have to be"
    "|needs to be|need to be|can be|could be|would be|measures|measuring|measure|set to|at|equals"
    "|should measure|should have|must have|has|have|having|that is|which is|that has|that are"
    "|which has|it is|it's|is set to|comes to|amounts to|is to be|should come to|ought to be"
    "|should stay|should remain|may be|might be|stays|remains|reaches|reaching"
    "|should reach|totals|spans|spanning|covers|covering|runs|should run|stretches|should total"
    "|must reach|must measure|set at|dimensions are|should at least be",
    Kind.WITH: "with|that has got|including|include|includes|featuring|contains|containing"
    "|feature|features|comprising|incl|plus also",
    Kind.PREPOSITION: "in|for|inside|within|on|into a|onto"
    "|to fit|fit in|fits in|fit into|fits into|fitting in|fitting into|fit for|fits|through a|as"
    "|to fit in|to fit into|inside of|indoors in|goes into|by the|so|because|if|when|while|where"
    "|since|than",
    Kind.NUMBER_OF: "number of|count of|count|number|quantity|how many|total of|the number of"
    "|amount",
    Kind.ADJECTIVE: "tight|fast|slow|quick|sharp|narrow|short|big|small|left|right|left hand"
    "|right hand|consecutive|flowing|nice|good|proper|gentle|large|challenging|medium|separate"
    "|different|additional|full|extra|real|simple|easy|hard|technical|fun|twisty|indoor|closed"
    "|little|tiny|huge|great|beautiful|decent|smooth|tricky|interesting|standard|typical|regular"
    "|normal|long|compact|narrower|wider|exact|total|overall|successive|nasty|mild|very|quite"
    "|pretty|really|rather|fairly|hand|handed|sweeping|spacious|rectangular|main|single lane"
    "|rookie|beginner|practice|training|usable|free|available|clear|drivable|constant|uniform"
    "|inner|outer|whole|entire|complete|true|classic|basic|custom|random|new|same|own|further"
    "|respective|medium sized|well spaced|back to back|subsequent|fresh|official|winding|curvy"
    "|bendy|clean|generous|cosy|cozy|tough|demanding|varied|relaxed|mixed|opposite|only",
    Kind.STOP: "please|comes|come|more|make|made|making|want|wants|would|like|need|needs|needed|i"
    "|we|you|me|us|it|he"
    "|she|they|them|there|here|build|built|give|generate|create|design|draw|do|does|can|could|may"
    "|might|will|should|shall|must|i'd|we'd|i'll|we'll|let's|let|get|got|set|put|use|using|add"
    "|any|all|somewhere|anywhere|something|anything|everything|one|ones|too|also|just|still|much"
    "|each|every|both|other|others|such|thing|things|thanks|thank|hi|hello|dear|hey|ok|okay|yes"
    "|looking|look|produce|propose|suggest|prepare|plan|lay|out|our|my|your|so|be|who|what|how|why"
    "|am|is|was|been|had|his|her|along|run|drive|driven|driving|driver's|go|goes|going|direction"
    "|directions|sense|drives|orientation|at all|altogether|total|in total|metric|specify|spec"
    "|specification|requirement|requirements|ideal|ideally|preferably|perhaps|maybe|fit|allowed"
    "|wanted|required|asked|possible|provide|about|now|today|tomorrow|this time|cheers|kind|sort"
    "|type|style|ready|over|of course|around|required|wish|wishes|again|even|either|well|sir|madam"
    "|regards|best|greetings|call|name|shape|keep|keeping|whose|whatever|shouldn't|there's|that's"
    "|here's|we're|i'm|you're|which|nice to have|everywhere|throughout|only|exactly|s|t",
}
"""Phrases by kind; see :data:`roboracer_arena.llm.grammar.lexicon.LANGUAGES`."""
