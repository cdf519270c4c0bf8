/**
 * The grammar of pnet for editors: colours, folding, selection, outlines.
 *
 * It follows `grammar/pnet.lalrpop` rule by rule, and takes what that takes. Where pnet tells things apart by
 * names that are declared elsewhere (a part and an import before the dot of a connector), this takes the likelier.
 *
 * After a change: `tree-sitter generate --abi 14` (14, so that Neovim from 0.7.2 on loads it) and `tree-sitter test`.
 */
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** One or more, with commas between them. @param {RuleOrLiteral} rule */
const comma1 = (rule) => seq(rule, repeat(seq(',', rule)));

/** Any number, with commas between them, and perhaps one at the end. @param {RuleOrLiteral} rule */
const comma = (rule) => optional(seq(comma1(rule), optional(',')));

/** A list between two brackets. @param {string} open @param {RuleOrLiteral} rule @param {string} close */
const listed = (open, rule, close) => seq(open, comma(rule), close);

module.exports = grammar({
  name: 'pnet',

  word: ($) => $._word,

  externals: ($) => [
    $.line_comment,
    $.doc_comment,
    $.block_comment,
    $._dot,
    $._spaced_dot,
    $._open_group,
    $._open_index,
    $._error_sentinel,
  ],

  extras: ($) => [/[ \t\r\n\f\uFEFF]/, $.line_comment, $.doc_comment, $.block_comment],

  supertypes: ($) => [$.item, $.expression],

  conflicts: ($) => [
    // `connect c : L.Max(A.out, B.out);`: a definition of an import, or a port with values.
    [$.part, $._module_name],
  ],

  rules: {
    source_file: ($) => repeat($.item),

    // ---- names -------------------------------------------------------------------------------------------

    _word: () => /[\p{XID_Start}_]\p{XID_Continue}*/,
    _quoted: () => /`[^`\r\n.\[\]<>]+`/,

    // `let` is a word only before a name, at the start of an expression.
    name: ($) => choice($._word, $._quoted, 'let'),
    _plain_name: ($) => alias(choice($._word, $._quoted), $.name),

    path: ($) => seq($.name, repeat(seq($._dot, $.name))),

    number: () => /[0-9][0-9_]*/,
    text: () => /"[^"\r\n]*"/,
    wildcard: () => '_',
    tau: () => 'tau',
    boolean: () => choice('true', 'false'),

    // ---- items -------------------------------------------------------------------------------------------

    item: ($) =>
      choice(
        $.module_declaration,
        $.import_declaration,
        $.sort_declaration,
        $.enum_declaration,
        $.data_declaration,
        $.function_declaration,
        $.axiom,
        $.constant_declaration,
        $.action_declaration,
        $.interface_declaration,
        $.process_declaration,
        $.net_declaration,
        $.relation_declaration,
        $.scenario_declaration,
        $.invariant_declaration,
        $.reduction_declaration,
        $.architecture_declaration,
        $.connector_declaration,
        $.property_declaration,
        $.check,
      ),

    module_declaration: ($) => seq('module', field('name', $.path), ';'),

    import_declaration: ($) =>
      seq(
        'import',
        field('source', choice($.path, $.text)),
        optional(choice(seq('as', field('alias', $.name)), field('names', $.import_names))),
        ';',
      ),
    import_names: ($) => listed('(', $.name, ')'),

    sort_declaration: ($) => seq('sort', comma1(field('name', $.name)), ';'),

    enum_declaration: ($) =>
      seq('enum', field('name', $.name), field('body', alias($.enum_body, $.constructors))),
    enum_body: ($) => listed('{', alias($._enum_constructor, $.constructor), '}'),
    _enum_constructor: ($) => field('name', $.name),

    data_declaration: ($) =>
      seq('data', field('name', $.name), optional($.sort_names), field('body', $.constructors)),
    constructors: ($) => listed('{', $.constructor, '}'),
    constructor: ($) => seq(field('name', $.name), optional($.fields)),
    fields: ($) => listed('(', alias($.binder, $.field), ')'),

    function_declaration: ($) =>
      seq(
        'fun',
        field('name', $.name),
        optional($.sort_names),
        $.function_parameters,
        ':',
        field('result', $._sort),
        optional(seq('decreases', field('measure', $._additive))),
        optional(seq('=', field('body', $.expression))),
        ';',
      ),
    function_parameters: ($) => listed('(', alias($.binder, $.parameter), ')'),

    axiom: ($) => seq('axiom', $.expression, ';'),

    constant_declaration: ($) =>
      seq('const', field('name', $.name), ':', field('sort', $._sort), optional($._value), ';'),
    _value: ($) => seq('=', field('value', $.expression)),

    action_declaration: ($) => seq('action', comma1($.signature), ';'),
    interface_declaration: ($) => seq('interface', field('name', $.name), field('body', $.signatures)),
    signatures: ($) => listed('{', $.signature, '}'),
    signature: ($) => seq(field('name', $.name), optional(listed('(', $._sort, ')'))),

    binder: ($) => seq(field('name', $.name), ':', field('sort', $._sort)),

    parameters: ($) => listed('<', $.parameter, '>'),
    parameter: ($) =>
      seq(
        field('name', $.name),
        ':',
        field('sort', choice($._sort, $.action_sort, $.sort_of_sorts, alias('Action', $.path))),
      ),
    action_sort: ($) => seq('Action', listed('(', $._sort, ')')),
    sort_of_sorts: () => 'sort',

    sort_names: ($) => seq('<', comma1(field('name', $.name)), '>'),

    // ---- temporal formulas -------------------------------------------------------------------------------

    property_declaration: ($) =>
      seq(
        'property',
        field('name', $.name),
        optional(alias($.rule_parameters, $.property_parameters)),
        '=',
        field('body', $.formula),
        ';',
      ),

    // Words that are names everywhere else are operators in here, so a formula shares no rules with expressions. Which of its
    // brackets are modalities and which are indices makes no difference for colours: it is a list of words, with its brackets matched.
    formula: ($) => repeat1($._formula_part),
    _formula_part: ($) =>
      choice(
        $.temporal_operator,
        $.path,
        $.number,
        $.wildcard,
        $.tau,
        $.boolean,
        choice('not', 'and', 'or', '=>', 'forall', 'exists', 'in', 'is', 'if', 'then', 'else', 'for'),
        choice('sync', 'co', 'any', 'div', 'mod', 'quot', 'rem'),
        choice('==', '!=', '<', '<=', '>', '>=', '+', '-', '*', ':', ',', '=', '..', '?'),
        alias($._spaced_dot, '.'),
        seq('(', optional($.formula), ')', optional(seq($._dot, $.path))),
        seq('[', optional($.formula), ']', optional(seq($._dot, $.path))),
        seq('{', optional($.formula), '}'),
      ),
    temporal_operator: () =>
      choice('A', 'E', 'G', 'F', 'X', 'AG', 'AF', 'AX', 'EG', 'EF', 'EX', 'U', 'W', 'mu', 'nu', 'after'),
    fairness: ($) => seq(optional('weakly'), 'fair', '{', optional($.formula), '}'),

    // ---- checks ------------------------------------------------------------------------------------------

    check: ($) => seq('check', optional('not'), $._question, repeat($._clause), ';'),
    _question: ($) =>
      choice(
        seq(
          field('kind', alias(choice('always', 'reaches', 'live', 'mutex'), $.check_kind)),
          '(', field('net', $.instance), ',', field('property', $.expression), ')',
        ),
        seq(
          field('kind', alias('at_most', $.check_kind)),
          '(', field('net', $.instance), ',', field('most', $.expression), ',', field('property', $.expression), ')',
        ),
        seq(field('kind', alias('valid', $.check_kind)), '(', field('property', $.expression), ')'),
        seq(
          field('kind', alias('holds', $.check_kind)),
          '(', field('net', $.instance), ',', field('property', $.formula), ')',
          repeat($.fairness),
        ),
        seq(
          field('kind', alias('noninterfering', $.check_kind)),
          '(', field('net', $.instance), ',', field('part', $.expression), ',', field('part', $.expression), ',',
          field('property', $.formula), ')',
          repeat($.fairness),
        ),
        seq(
          field('kind', alias('never', $.check_kind)),
          '(', field('net', $.instance), optional(seq(',', field('property', $.expression))), ')',
        ),
        seq(
          field('kind', alias($._word, $.check_kind)),
          '(', comma(field('net', $.instance)), ')',
          optional(seq('==', '(', $.expression, ',', $.expression, ')')),
        ),
      ),
    _clause: ($) => choice(seq('by', field('by', $.path)), $.tracking),
    tracking: ($) => seq('tracking', listed('{', $.name, '}')),

    // ---- processes ---------------------------------------------------------------------------------------

    process_declaration: ($) =>
      seq(
        'process',
        field('name', $.name),
        choice(
          seq(optional($.parameters), field('body', $.process_body)),
          seq('=', 'lts', field('file', $.text), optional(seq('tau', field('silent', $.text))), ';'),
        ),
      ),
    process_body: ($) => seq('{', repeat($._process_statement), '}'),
    _process_statement: ($) =>
      choice($.variable_declaration, $.state_declaration, $.priority, $.transition),

    variable_declaration: ($) =>
      seq('var', field('name', $.name), ':', field('sort', $._sort), optional($._value), ';'),

    state_declaration: ($) =>
      seq(
        optional(choice('init', 'final', seq('init', 'final'), seq('final', 'init'))),
        'state',
        comma1(field('name', $.name)),
        ';',
      ),

    transition: ($) =>
      seq(
        // The words that start statements are names before an arrow.
        field('source', choice($.name, alias(choice('var', 'init', 'final', 'state', 'priority'), $.name))),
        '->',
        field('target', $.name),
        ':',
        field('action', $._operand),
        optional($.guard),
        optional($.assertion),
        optional($.effect),
        ';',
      ),

    guard: ($) => seq('when', $.expression),
    assertion: ($) => seq('assert', $.expression),

    effect: ($) =>
      seq('do', choice(comma1($.assignment), seq('{', $.assignment, repeat(seq(';', $.assignment)), optional(';'), '}'))),
    assignment: ($) =>
      seq(
        field('target', $.name),
        repeat(choice(seq('[', $.expression, ']'), seq($._dot, field('field', $.name)))),
        field('operator', choice(':=', '+=', '-=')),
        field('value', $.expression),
      ),

    // ---- nets --------------------------------------------------------------------------------------------

    net_declaration: ($) =>
      seq(
        'net',
        field('name', $.name),
        optional($.parameters),
        optional($.holes),
        choice(field('body', $.net_body), seq('=', field('alias', $.instance), ';')),
      ),
    holes: ($) => listed('(', $.hole, ')'),
    hole: ($) =>
      seq(field('name', $.name), optional($.family), ':', field('interface', choice('any', $.path))),
    family: ($) => seq('[', field('index', $.name), ':', $.range, ']'),

    net_body: ($) => seq('{', repeat($._net_statement), '}'),
    _net_statement: ($) => choice($.sub_declaration, $._joining),

    sub_declaration: ($) =>
      seq(
        'sub',
        field('name', $.name),
        optional($.family),
        '=',
        repeat($.choice),
        field('instance', $.instance),
        ';',
      ),
    choice: ($) => seq('if', $.expression, 'then', $.instance, 'else'),

    _joining: ($) => choice($.vector, $.connection, alias($.net_priority, $.priority)),

    vector: ($) =>
      seq(
        optional(seq('step', field('name', $.name), ':')),
        $.members,
        '->',
        field('result', $._operand),
        optional($.guard),
        optional($.rivals),
        optional($.repetition),
        ';',
      ),
    members: ($) => listed('<', choice($.member, $.repeated_member), '>'),
    member: ($) => seq(field('part', $.part), ':', field('action', $._operand)),
    repeated_member: ($) => seq('[', $.member, $.repetition, optional($.guard), ']'),
    part: ($) => seq(field('name', $.name), optional(seq('[', field('index', $.expression), ']'))),

    rivals: ($) => seq('unless', comma1($.rival)),
    rival: ($) => seq($.members, optional($.guard)),

    repetition: ($) => seq('for', comma1($.index)),
    index: ($) => seq(field('name', $.name), 'in', $.range),

    connection: ($) =>
      seq(
        'connect',
        field('name', $.name),
        optional($.arguments),
        ':',
        choice(
          seq(repeat1($._connector), optional($.guard), optional(alias($.transfer_effect, $.effect))),
          $.connector_use,
        ),
        optional($.rivals),
        optional($.repetition),
        ';',
      ),
    transfer_effect: ($) => seq('do', comma1(alias($.transfer_assignment, $.assignment))),
    transfer_assignment: ($) =>
      seq(field('target', $.name), field('operator', ':='), field('value', $.expression)),

    _connector: ($) => choice($.port, $.group),
    port: ($) =>
      seq(field('part', $.part), $._dot, field('action', $.name), optional($.arguments), optional($.trigger)),
    group: ($) =>
      seq('[', repeat1($._connector), optional(seq($.repetition, optional($.guard))), ']', optional($.trigger)),
    trigger: () => "'",

    connector_use: ($) =>
      prec.dynamic(
        1,
        seq(
          optional(seq(field('module', $._module_name), $._dot)),
          field('connector', $.name),
          optional(listed('<', choice($._additive, $._open_sort), '>')),
          listed('(', $._connector, ')'),
        ),
      ),
    _module_name: ($) => $.name,

    net_priority: ($) =>
      seq('priority', choice('maximal', seq(comma1($.order), optional($.guard), optional($.repetition))), ';'),
    priority: ($) => seq('priority', comma1($.order), optional($.guard), ';'),
    order: ($) => seq($._ordered, repeat1(seq('<', $._ordered))),
    _ordered: ($) => choice($.ordered, $.tau, '*'),
    ordered: ($) =>
      seq(
        field('name', choice($.name, alias('maximal', $.name))),
        optional(choice($.arguments, seq('[', repeat1(alias($.ordered_port, $.port)), ']'))),
      ),
    ordered_port: ($) => seq(field('part', $.part), $._dot, field('action', $.name)),

    // ---- architectures -----------------------------------------------------------------------------------

    architecture_declaration: ($) =>
      seq('architecture', field('name', $.name), field('body', $.architecture_body)),
    architecture_body: ($) => seq('{', repeat($.rule), '}'),
    rule: ($) =>
      seq('rule', field('name', $.name), $.rule_parameters, field('body', $.rule_body)),
    rule_parameters: ($) => listed('(', $.name, ')'),
    rule_body: ($) => seq('{', repeat($._rule_statement), '}'),
    _rule_statement: ($) =>
      choice($.new_declaration, alias($.rule_sub, $.sub_declaration), $._joining, $.rule_use, $.never),
    new_declaration: ($) => seq('new', comma1(field('name', $.name)), ';'),
    rule_sub: ($) => seq('sub', field('name', $.name), '=', field('instance', $.instance), ';'),
    rule_use: ($) =>
      seq(field('rule', choice($.name, alias(choice('new', 'step'), $.name))), listed('(', $.name, ')'), ';'),
    never: ($) => seq('never', optional(seq(field('label', $.name), ':')), field('bad', $.expression), ';'),

    // ---- definitions of connectors -----------------------------------------------------------------------

    connector_declaration: ($) =>
      seq(
        'connector',
        field('name', $.name),
        optional($.parameters),
        listed('(', $.formal_port, ')'),
        optional(seq('shows', $.shown_port)),
        field('body', $.connector_body),
      ),
    formal_port: ($) => seq(field('name', $.name), optional($.family), ':', 'port', optional($._port_data)),
    shown_port: ($) => seq(field('name', $.name), optional($._port_data)),
    _port_data: ($) => listed('(', $.port_value, ')'),
    port_value: ($) => seq(optional('in'), $.binder),

    connector_body: ($) => seq('{', repeat($.joining), '}'),
    joining: ($) =>
      seq(
        optional('on'),
        repeat1($._joint),
        optional($.guard),
        optional(seq('up', comma1($.transfer))),
        optional(seq('down', comma1($.transfer))),
        ';',
      ),
    _joint: ($) => choice($.joint, $.joint_group),
    joint: ($) => seq($._joint_part, optional($.trigger)),
    _joint_part: ($) =>
      seq(field('port', $.name), optional(seq(alias($._open_index, '['), field('index', $.expression), ']'))),
    joint_group: ($) =>
      seq(
        alias($._open_group, '['),
        repeat1($._joint),
        optional(seq($.repetition, optional($.guard))),
        ']',
        optional($.trigger),
      ),
    transfer: ($) => choice($.assignment, seq('[', $.assignment, $.repetition, optional($.guard), ']')),

    // ---- instances, relations, scenarios, invariants, reductions -----------------------------------------

    instance: ($) =>
      seq($._head, optional(alias($.given_values, $.values)), optional($.fills)),
    _head: ($) => seq(field('name', $.path), optional(seq('[', field('index', $.expression), ']'))),
    given_values: ($) => listed('<', choice($._additive, $._open_sort), '>'),
    fills: ($) => listed('(', $.fill, ')'),
    fill: ($) =>
      seq(optional(seq(field('hole', alias($.hole_name, $.part)), ':')), field('instance', $.instance)),
    hole_name: ($) => $._head,

    relation_declaration: ($) =>
      seq('relation', field('name', $.name), listed('(', $.instance, ')'), field('body', $.relation_body)),
    relation_body: ($) => seq('{', repeat($.pair), '}'),
    pair: ($) => seq('(', field('left', $._net_state), ',', field('right', $._net_state), ')', optional($.guard), ';'),
    _net_state: ($) => choice($.path, alias('-', $.no_leaves)),

    scenario_declaration: ($) =>
      seq('scenario', optional('not'), field('name', choice($.name, $.text)), 'of', field('net', $.instance), field('body', $.scenario_body)),
    scenario_body: ($) => seq('{', repeat($._step), '}'),
    _step: ($) => choice($.gap, $.demand, $.step),
    gap: () => seq('..', ';'),
    demand: ($) => seq('[', $.expression, ']', ';'),
    step: ($) =>
      seq(field('action', choice($.path, $.call, $.wildcard, $.tau, $.synchronised, $.complement)), ';'),

    invariant_declaration: ($) =>
      seq('invariant', field('name', $.name), 'of', field('net', $.instance), field('body', $.invariant_body)),
    invariant_body: ($) => seq('{', repeat($.condition), '}'),
    condition: ($) => seq($.expression, ';'),

    reduction_declaration: ($) =>
      seq('reduction', field('name', $.name), 'of', field('net', $.instance), field('body', $.reduction_body)),
    reduction_body: ($) => seq('{', repeat($.reducing), '}'),
    reducing: ($) =>
      seq(
        field('word', $.name),
        comma1($.part_path),
        optional(seq('by', comma1($.part_path))),
        optional(field('last', $._plain_name)),
        ';',
      ),
    part_path: ($) => seq($._part_step, repeat(seq($._dot, $._part_step))),
    _part_step: ($) => seq($._plain_name, optional(seq('[', $.expression, ']'))),

    // ---- sorts -------------------------------------------------------------------------------------------

    _sort: ($) => choice(alias($.path, $.sort), $._open_sort),
    _open_sort: ($) => choice($.applied_sort, $.range, $.array_sort),
    applied_sort: ($) => seq(field('name', $.path), '<', comma1($._sort), '>'),
    array_sort: ($) => seq('[', field('key', $._sort), ']', field('value', $._sort)),
    range: ($) => seq(field('low', $._additive), '..', field('high', $._additive)),

    // ---- expressions, loosest first ----------------------------------------------------------------------

    expression: ($) => choice($.conditional, $.let, $.quantified, alias($.implication, $.binary), $._disjunction),

    conditional: ($) =>
      seq('if', field('condition', $.expression), 'then', field('then', $.expression), 'else', field('else', $.expression)),
    let: ($) =>
      seq('let', field('name', $._plain_name), '=', field('value', $._additive), 'in', field('body', $.expression)),
    quantified: ($) =>
      seq(field('quantifier', choice('forall', 'exists')), comma1($.quantified_variable), alias($._spaced_dot, '.'), field('body', $.expression)),
    quantified_variable: ($) =>
      seq(field('name', $.name), optional(choice(seq(':', field('sort', $._sort)), seq('in', field('members', $.member_path))))),
    member_path: ($) => seq($._member_step, repeat(seq($._dot, $._member_step))),
    _member_step: ($) => seq($.name, optional(seq('[', $.expression, ']'))),

    implication: ($) => seq(field('left', $._disjunction), field('operator', '=>'), field('right', $.expression)),

    _disjunction: ($) => choice($._conjunction, alias($.disjunction, $.binary)),
    disjunction: ($) => seq(field('left', $._disjunction), field('operator', 'or'), field('right', $._conjunction)),

    _conjunction: ($) => choice($._negation, alias($.conjunction, $.binary)),
    conjunction: ($) => seq(field('left', $._conjunction), field('operator', 'and'), field('right', $._negation)),

    _negation: ($) => choice($.negation, $._comparison),
    negation: ($) => seq('not', $._negation),

    _comparison: ($) => choice($._additive, alias($.comparison, $.binary), $.test),
    comparison: ($) =>
      seq(field('left', $._additive), field('operator', choice('==', '!=', '<', '<=', '>', '>=')), field('right', $._additive)),
    test: ($) =>
      seq(
        field('subject', $._additive),
        choice(seq('is', optional('not')), seq(optional('not'), 'in')),
        field('against', $._operand),
      ),

    _additive: ($) => choice($._multiplicative, alias($.sum, $.binary)),
    sum: ($) => seq(field('left', $._additive), field('operator', choice('+', '-')), field('right', $._multiplicative)),

    _multiplicative: ($) => choice($._operand, alias($.product, $.binary)),
    product: ($) =>
      seq(field('left', $._multiplicative), field('operator', choice('*', 'div', 'mod', 'quot', 'rem')), field('right', $._operand)),

    _operand: ($) => choice($.negative, $.synchronised, $.complement, $._postfix),
    negative: ($) => seq('-', $._operand),
    synchronised: ($) => seq('sync', $._operand),
    complement: ($) => seq('co', $._operand),

    _postfix: ($) => choice($.path, $._term),
    _term: ($) =>
      choice(
        $.boolean,
        $.number,
        $.wildcard,
        $.tau,
        $.input,
        $.call,
        $.parenthesized,
        $.tuple,
        $.of_sort,
        $.set,
        $.element,
        $.update,
        $.changed,
        $.field_access,
        $.constant_array,
        $.match,
      ),

    input: ($) => seq('?', field('name', $.name)),
    call: ($) => seq(field('callee', $.path), $.arguments),
    arguments: ($) => listed('(', $.expression, ')'),
    parenthesized: ($) => seq('(', $.expression, ')'),
    tuple: ($) => seq('(', $.expression, ',', comma1($.expression), ')'),
    of_sort: ($) => seq('(', $.expression, ':', field('sort', $._sort), ')'),
    set: ($) => listed('{', $.expression, '}'),
    element: ($) => seq(field('array', $._postfix), '[', field('index', $.expression), ']'),
    update: ($) =>
      seq(field('array', $._postfix), '[', field('index', $.expression), ':=', field('value', $.expression), ']'),
    changed: ($) => seq(field('record', $._postfix), 'with', listed('{', $.field_value, '}')),
    field_value: ($) => seq(field('name', $.name), ':=', field('value', $.expression)),
    field_access: ($) => seq($._term, $._dot, field('field', $.name)),
    constant_array: ($) =>
      seq('[', $.wildcard, ']', field('sort', choice(alias($.path, $.sort), $.applied_sort)), '(', field('value', $.expression), ')'),
    match: ($) => seq('match', field('subject', $.expression), listed('{', $.arm, '}')),
    arm: ($) => seq(field('pattern', $._operand), '=>', field('value', $.expression)),
  },
});
