// The one style of all pages. It names no font file and no image.

export const style = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5b6470; --line: #dfe3e8; --ground: #fbfcfd; --raised: #ffffff; --accent: #0b6b62; --code: #f1f4f6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa4b0; --line: #2c333b; --ground: #14171a; --raised: #1b1f23; --accent: #5fc7ba; --code: #22282e; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
main, header, footer { max-width: 50rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 3rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.02em; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); }
h3, h4, h5, h6 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: .6rem 0; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px; }
.lead { color: var(--soft); font-size: 1.1rem; margin-top: 0; }
.facts { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; margin: 1rem 0 0; list-style: none; }
.facts li { border: 1px solid var(--line); background: var(--raised); border-radius: 999px; padding: .1rem .7rem; font-size: .85rem; color: var(--soft); }
code, pre, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .875em; }
code { background: var(--code); border-radius: 4px; padding: .1em .35em; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1rem; overflow-x: auto; overflow-wrap: normal; line-height: 1.5; }
pre code { background: none; padding: 0; font-size: 1em; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th { text-align: left; color: var(--soft); font-weight: 500; }
th, .short { white-space: nowrap; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; padding-right: 0; font-variant-numeric: tabular-nums; white-space: nowrap; }
blockquote { margin: .8rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
ul.list { list-style: none; margin: 1.5rem 0 0; padding: 0; }
ul.list > li { background: var(--raised); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem; margin-bottom: .75rem; }
ul.list h2 { border: 0; margin: 0; padding: 0; font-size: 1.05rem; }
ul.list p { margin: .25rem 0 0; color: var(--soft); }
.version { color: var(--soft); font-weight: 400; font-size: .85rem; margin-left: .5rem; }
.body { border: 1px solid var(--line); background: var(--raised); border-radius: 10px; padding: .75rem 1.25rem; }
.body h3:first-child { margin-top: .5rem; }
.body ul, .body ol { padding-left: 1.4rem; margin: .5rem 0; }
.d2 { margin-left: 1.25rem; } .d3 { margin-left: 2.5rem; } .d4 { margin-left: 3.75rem; }
.digest { color: var(--soft); font-size: .75rem; }
footer { color: var(--soft); font-size: .85rem; padding-top: 2rem; padding-bottom: 3rem; }
`;
