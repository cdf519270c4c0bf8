//! How pictures look, by day and by night.

/// Colours and fonts. No variables and nothing nested: simple programs have to understand it too.
pub(super) const STYLE: &str = r#"text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; fill: #1f2937; }
.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; font-size: 11px; white-space: pre; }
.title { font-size: 13px; }
.name, .hole-name { font-weight: 600; }
.th { font-weight: 600; fill: #374151; }
.of { fill: #64748b; }
.muted, .var, .hole-sort { fill: #64748b; }
.dash { fill: #b6bfcc; }
.dots { font-size: 20px; }
.act, .state-name { fill: #1f2937; }
.cond { fill: #7c3aed; }
.result { fill: #0f766e; }
.number { fill: #b45309; }
.hole-name { fill: #b45309; }
.page { fill: #ffffff; }
.node > .box { fill: #3b82f6; fill-opacity: 0.06; stroke: #94a3b8; stroke-width: 1.2; }
.leaf > .box { fill: #ffffff; stroke: #94a3b8; }
.sheet { fill: #ffffff; stroke: #cbd5e1; }
.hover { fill: #3b82f6; fill-opacity: 0; }
.vector:hover .hover { fill-opacity: 0.1; }
.rule { fill: none; stroke: #e2e8f0; stroke-width: 0.8; }
.strong { stroke: #94a3b8; }
.hole-ring { fill: #fef3c7; stroke: #d97706; stroke-width: 1.5; stroke-dasharray: 5 3; }
.state { fill: #eff6ff; stroke: #3b82f6; stroke-width: 1.3; }
.initial { fill: #dbeafe; }
.deadlock { fill: #fee2e2; stroke: #dc2626; stroke-width: 1.8; }
.stuck { fill: #b91c1c; font-weight: 600; }
.final { fill: none; }
.arrow { fill: none; stroke: #64748b; stroke-width: 1.2; }
.silent { stroke-dasharray: 4 3; }
.taken { stroke: #d97706; stroke-width: 2.4; }
.round { stroke: #c026d3; }
.steps { fill: #b45309; font-weight: 600; }
.again { fill: #a21caf; font-weight: 600; }
.tip, .start { fill: #64748b; }
.hole-sort { paint-order: stroke; stroke: #f3f7fe; stroke-width: 3px; }
.wire { fill: none; stroke: #0f766e; stroke-width: 1.4; }
.passed { fill: none; stroke: #94a3b8; stroke-width: 1.2; stroke-dasharray: 5 3; }
.order { fill: none; stroke: #7c3aed; stroke-width: 1.2; stroke-dasharray: 2 3; }
.hub, .synchron, .trigger { fill: #0f766e; stroke: #ffffff; stroke-width: 0.8; }
.hub-name { fill: #ffffff; stroke: #0f766e; }
.connector { fill: #0f766e; }
@media (prefers-color-scheme: dark) {
text, .act, .state-name { fill: #e5e7eb; }
.th { fill: #d1d5db; }
.of, .muted, .var, .hole-sort { fill: #94a3b8; }
.dash { fill: #4b5563; }
.cond { fill: #c4b5fd; }
.result { fill: #5eead4; }
.number { fill: #fcd34d; }
.hole-name { fill: #fcd34d; }
.page { fill: #0f172a; }
.node > .box { fill: #60a5fa; fill-opacity: 0.07; stroke: #475569; }
.leaf > .box { fill: #111c33; stroke: #475569; }
.sheet { fill: #111c33; stroke: #334155; }
.rule { stroke: #263349; }
.strong { stroke: #475569; }
.hole-ring { fill: #3b2a0a; stroke: #f59e0b; }
.state { fill: #172a4a; stroke: #60a5fa; }
.initial { fill: #1e3a6b; }
.deadlock { fill: #450a0a; stroke: #f87171; }
.stuck { fill: #fca5a5; }
.final { fill: none; }
.arrow { stroke: #94a3b8; }
.taken { stroke: #fbbf24; }
.round { stroke: #e879f9; }
.steps { fill: #fcd34d; }
.again { fill: #f0abfc; }
.tip, .start { fill: #94a3b8; }
.hole-sort { stroke: #131f39; }
.wire { stroke: #5eead4; }
.passed { stroke: #475569; }
.order { stroke: #c4b5fd; }
.hub, .synchron, .trigger { fill: #5eead4; stroke: #0f172a; }
.hub-name { fill: #111c33; stroke: #5eead4; }
.connector { fill: #5eead4; }
}
.tip { fill: context-stroke; }
"#;
