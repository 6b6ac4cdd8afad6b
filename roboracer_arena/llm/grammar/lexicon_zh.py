"""Chinese words of track requests; simplified, with the common traditional forms."""

from __future__ import annotations

from roboracer_arena.llm.grammar.tokens import Kind

__all__ = ["CHINESE"]

CHINESE: dict[Kind, str] = {
    Kind.LAP: "一圈|单圈|圈长|全长|总长|周长|单圈长度|一圈长度|总长度|赛道长度|跑道长度|一圈长"
    "|赛道长",
    Kind.LAPS: "圈",
    Kind.TRACK: "赛道|跑道|线路|路线|赛車道|賽道|跑圈|赛车道",
    Kind.CORRIDOR: "车道|走廊|通道|路面",
    Kind.HALL: "场地|场馆|房间|大厅|室内|空间|场馆大小|場地|体育馆|大小|厂房|仓库|场地大小|教室",
    Kind.HALL_X: "场地长|场地长度",
    Kind.HALL_Y: "场地宽|场地宽度",
    Kind.RADIUS: "半径|弯道半径|转弯半径",
    Kind.STRAIGHT: "直道|最长直道|直线|长直道|主直道|最长的直道",
    Kind.HAIRPIN: "发卡弯|发夹弯|回头弯|髮夾彎|髮卡彎|发卡|发夹|掉头弯|U形弯|u形弯|u型弯|u弯",
    Kind.CHICANE: "减速弯|s弯|s形弯|s型弯|连续弯|之字弯|減速彎",
    Kind.SWEEPER: "大弯|高速弯|缓弯|长弯|大弧弯|弧形弯",
    Kind.TURN: "弯道|弯|转弯|拐弯",
    Kind.OTHER: "车|赛车|小车|墙|墙壁|高度|天花板|直径|间距|种子|人|队",
    Kind.LENGTH: "长度|长为|長度",
    Kind.LONG: "长|長",
    Kind.WIDTH: "宽度|道宽|赛道宽度|赛道宽|宽|寬|寬度|路宽|跑道宽|跑道宽度|宽为",
    Kind.CW: "顺时针|順時針|顺时针方向",
    Kind.CCW: "逆时针|逆時針|逆时针方向|反时针",
    Kind.AWAY: "高|厚|远",
    Kind.VAGUE: "几个|一些|若干|多个|几处",
    Kind.NONE: "没有|无|不要|不带|不含|沒有|無|不需要|不能有|不",
    Kind.MIN: "至少|最小|不少于|不小于|最少|不短于",
    Kind.MAX: "最多|最大|不超过|不多于|至多",
    Kind.OR_MORE: "以上",
    Kind.OR_LESS: "以下|以内",
    Kind.ABOUT: "大约|约|左右|约为|大概|差不多",
    Kind.BY: "乘|乘以|x|×",
    Kind.TO: "到|至|~",
    Kind.AND: "和|与|及|以及|加|還有|还有",
    Kind.OR: "或|或者",
    Kind.BUT: "但|但是|而",
    Kind.THEN: "然后|接着|再|之后|随后|最后|先",
    Kind.ORDER: "按此顺序|依次|按顺序|按这个顺序",
    Kind.OF: "的",
    Kind.IS: "是|为|有|应为",
    Kind.WITH: "带|带有|包含|包括|含",
    Kind.PREPOSITION: "在|里|中|内|于|用于",
    Kind.MEASURE_WORD: "个|条|处|段|座|個|條|處",
    Kind.STOP: "请|生成|一条|一个|要|我|我们|想|需要|给|做|设计|创建|建|画|帮|方向|行驶|你|您"
    "|可以|的话|需|制作|請",
}
"""Phrases by kind; see :data:`roboracer_arena.llm.grammar.lexicon.LANGUAGES`."""
