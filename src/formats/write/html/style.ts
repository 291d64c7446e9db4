/** Rules of the charts, which are also in the file of a single chart: no variables, since few programs but browsers know them. */
export const chartStyle = `
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#57606a}
svg .strong{fill:#1f2328}
svg .number{font-variant-numeric:tabular-nums;text-anchor:end}
svg .middle{text-anchor:middle}
.bar{fill:#2f6fb3}
.minus{fill:#b3401f}
.part{fill:none;stroke-width:1}
.part.bar{stroke:#2f6fb3}
.part.minus{stroke:#b3401f}
.track{fill:#eaeef2}
.grid{stroke:#d9dee4;stroke-width:1;fill:none}
.base{stroke:#8c959f;stroke-width:1;fill:none}
.mean{stroke:#1f2328;stroke-width:1.8;fill:none;stroke-linejoin:round}
.back{fill:#fff}
.h0{fill:#f1f5fa}.h1{fill:#dbe8f6}.h2{fill:#b5d0ec}.h3{fill:#3574b8}.h4{fill:#235a97}.h5{fill:#123f73}
svg .on0,svg .on1,svg .on2{fill:#1f2328}
svg .on3,svg .on4,svg .on5{fill:#fff}
@media screen and (prefers-color-scheme:dark){
svg text{fill:#a3adb8}
svg .strong{fill:#e6edf3}
.bar{fill:#5ea3ea}
.minus{fill:#f0896a}
.part.bar{fill:none;stroke:#5ea3ea}
.part.minus{fill:none;stroke:#f0896a}
.track{fill:#262d36}
.grid{stroke:#30363d}
.base{stroke:#7d8590}
.mean{stroke:#ffd479}
.back{fill:#161b22}
.h0{fill:#1c2530}.h1{fill:#1f3550}.h2{fill:#234a75}.h3{fill:#6aa9ea}.h4{fill:#93c4f5}.h5{fill:#c9e2ff}
svg .on0,svg .on1,svg .on2{fill:#e6edf3}
svg .on3,svg .on4,svg .on5{fill:#0d1117}
}`.trim()

/** The one style of every page: light and dark, from 320 pixels on, and on paper. */
export const pageStyle = `
:root{color-scheme:light dark;--page:#f4f6f8;--card:#fff;--text:#1f2328;--soft:#57606a;--line:#d9dee4;--faint:#f4f6f8;--link:#0a56a8;--alarm:#a1260d;--alarm-back:#fff4f0;--alarm-line:#f0b8a6;--proven:#d5efdc;--partly:#ffeeba;--unread:#fbdad2;--lost:#dfe3fb}
@media screen and (prefers-color-scheme:dark){:root{--page:#0d1117;--card:#161b22;--text:#e6edf3;--soft:#a3adb8;--line:#30363d;--faint:#1c2229;--link:#79b8ff;--alarm:#ff9d80;--alarm-back:#2b1a15;--alarm-line:#6e3a2a;--proven:#16402a;--partly:#4d3d0c;--unread:#57261b;--lost:#2f3566}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main,.head,.foot{max-width:1080px;margin:0 auto;padding:0 20px}
.head{padding-top:32px}
h1{margin:0 0 8px;font-size:28px;line-height:1.2;letter-spacing:-.01em}
h2{margin:0;font-size:18px;line-height:1.3}
p{margin:6px 0 0}
a{color:var(--link)}
.facts{margin:0;color:var(--soft);font-size:14px}
.facts div{margin:2px 0}
.facts dt,.facts dd{display:inline;margin:0}
.facts dt::after{content:": "}
.soft,.more{color:var(--soft);font-size:14px}
code{font:13px ui-monospace,SFMono-Regular,Consolas,monospace;background:var(--faint);padding:1px 4px;border-radius:4px;white-space:pre-wrap}
mark{background:var(--partly);color:inherit}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:16px 0;padding:20px 24px 24px}
.tiles{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:12px;margin:20px 0 16px}
.tile{min-width:0;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;display:flex;flex-direction:column}
.tile dt{color:var(--soft);font-size:13px}
.tile dd{margin:0;font-size:22px;font-weight:600;line-height:1.35;font-variant-numeric:tabular-nums}
.tile dd.note{font-size:13px;font-weight:400;color:var(--soft)}
.tile.main{grid-column:span 2}
.tile.main dd:not(.note){font-size:32px;line-height:1.2}
.look{background:var(--alarm-back);border-color:var(--alarm-line)}
.look h2{color:var(--alarm)}
ul{margin:8px 0 0;padding-left:20px}
figure{margin:14px 0 0}
svg{display:block;width:100%;height:auto}
.week th,.week td{padding:3px 4px;min-width:0;overflow-wrap:normal}
.narrow,figure.half{max-width:480px}
.narrow{display:none}
.pair{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,6fr);gap:12px 32px;align-items:start}
.pair.week{grid-template-columns:minmax(0,4fr) minmax(0,6fr)}.tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(380px,100%),1fr));gap:0 32px;align-items:start}
.table{overflow-x:auto;margin-top:14px}
table{border-collapse:collapse;width:100%;font-size:13px;line-height:1.35}
caption{text-align:left;color:var(--soft);padding:0 0 6px}
th,td{text-align:left;padding:5px 6px;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
td{overflow-wrap:anywhere;min-width:5em}
th{font-weight:600}
tbody th{font-weight:400;overflow-wrap:anywhere;min-width:6.5em}
thead th{color:var(--soft);border-bottom-color:var(--soft);vertical-align:bottom}
tfoot th,tfoot td{font-weight:600;border-bottom:0}
.n{min-width:0;text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
.id{color:var(--soft);white-space:nowrap}
.legend{margin:10px 0 0;font-size:13px}
.legend div{display:flex;gap:10px;align-items:baseline;margin:4px 0}
.legend dt{flex:none;min-width:92px;padding:1px 8px;border-radius:4px;text-align:center}
.legend dd{margin:0;color:var(--soft)}
.months{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr));gap:8px 28px;align-items:start;margin-top:12px}
.month{table-layout:fixed;break-inside:avoid}
.month caption{color:var(--text);font-weight:600;padding-top:8px}
.month th,.month td{padding:3px 0;text-align:center;border:1px solid var(--card);height:40px;border-radius:6px}
.month thead th{height:auto;border-bottom-color:var(--card)}
.month td span{display:block;font-size:9px;line-height:1.2}
.proven{background:var(--proven)}.partly{background:var(--partly)}.unread{background:var(--unread)}.gone,.changed{background:var(--lost)}
.foot{padding:8px 20px 40px;color:var(--soft);font-size:13px}
@media (max-width:760px){.pair,.pair.week{grid-template-columns:minmax(0,1fr)}}
@media screen and (max-width:600px){main,.head,.foot{padding-left:12px;padding-right:12px}section{padding:16px 14px 18px}h1{font-size:23px}td{min-width:4em}.wide{display:none}.narrow{display:block}.tiles{grid-template-columns:repeat(2,minmax(0,1fr))}table{font-size:12px}th,td{padding:5px 4px}.weekday{display:none}.week table{font-size:10.5px}.week th,.week td{padding:4px 2px}}
@page{size:A4;margin:14mm}
@media print{:root{color-scheme:light;--page:#fff}body{font-size:10.5pt}main,.head,.foot{max-width:none;padding:0}section{border:0;border-top:1px solid var(--line);border-radius:0;padding:10px 0 4px;margin:8px 0 0}.look{background:none}.tile{padding:8px 10px}.tiles{gap:6px;margin:12px 0}.pair{break-inside:avoid}.tables{grid-template-columns:1fr 1fr;gap:0 20px}table{font-size:8pt}th,td{padding:2.5px 4px}.week th,.week td{padding:1.5px 2px}.pair,.pair.week{grid-template-columns:minmax(0,4fr) minmax(0,6fr);gap:0 16px}figure,.table{margin-top:6px}h2,caption{break-after:avoid}tr,figure,.tile{break-inside:avoid}thead{display:table-header-group}tfoot{display:table-row-group}.table{overflow:visible}a{color:inherit;text-decoration:none}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`.trim()
