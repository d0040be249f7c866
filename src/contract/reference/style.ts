// The style sheet of the pages of the reference, for light and dark schemes, desktops and phones.
export const style = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1a1f27, #e4e8ee);
  --soft: light-dark(#525c69, #a3adba);
  --line: light-dark(#dde2e8, #303843);
  --back: light-dark(#ffffff, #12161b);
  --raised: light-dark(#f5f7f9, #1a2027);
  --link: light-dark(#0b5cad, #7cb7ff);
  --get: light-dark(#0b5cad, #7cb7ff);
  --post: light-dark(#1a6b34, #6fd08c);
  --put: light-dark(#8a4b00, #f0b35e);
  --delete: light-dark(#b3261e, #ff8f87);
  font: 16px/1.6 system-ui, sans-serif;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; color: var(--text); background: var(--back); display: grid; grid-template: auto 1fr / 19rem minmax(0, 1fr); min-height: 100vh; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: .5rem; top: .5rem; z-index: 9; background: var(--back); padding: .5rem; }
header { grid-column: 1 / -1; position: sticky; top: 0; z-index: 3; display: flex; align-items: center; gap: 1rem; padding: .6rem 1.25rem; background: var(--back); border-bottom: 1px solid var(--line); }
.home { font-weight: 650; color: inherit; text-decoration: none; white-space: nowrap; }
.menu, .close { display: none; }
.search { position: relative; flex: 1; max-width: 38rem; margin-inline: auto; }
.search input { width: 100%; font: inherit; color: inherit; padding: .45rem .8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
#results { position: absolute; inset: calc(100% + .3rem) 0 auto; margin: 0; padding: .3rem; list-style: none; background: var(--back); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 12px 32px #0004; max-height: 70vh; overflow: auto; }
#results a { display: block; padding: .45rem .6rem; border-radius: 6px; color: inherit; text-decoration: none; }
#results [aria-selected=true] a, #results a:hover { background: var(--raised); }
#results small { display: block; color: var(--soft); overflow-wrap: anywhere; }
#results p { margin: .5rem; }
nav { position: sticky; top: 3.65rem; height: calc(100vh - 3.65rem); overflow: auto; padding: 1rem 1rem 3rem 1.25rem; border-right: 1px solid var(--line); font-size: .92rem; line-height: 1.45; }
nav h2 { margin: 1.4rem 0 .3rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav h2:first-of-type { margin-top: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { margin: .1rem 0 .5rem .6rem; border-left: 1px solid var(--line); padding-left: .4rem; }
nav li a { display: block; padding: .28rem .5rem; border-radius: 6px; color: inherit; text-decoration: none; }
nav li a:hover, nav [aria-current] { background: var(--raised); }
nav [aria-current] { font-weight: 600; color: var(--link); }
main { padding: 1.5rem clamp(1rem, 4vw, 3.5rem) 5rem; max-width: 58rem; width: 100%; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: .2rem 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .7rem; padding-top: .3rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
.anchor { color: inherit; text-decoration: none; }
.anchor:hover::after { content: ' #'; color: var(--soft); }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Consolas, monospace; background: var(--raised); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { position: relative; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1rem; overflow: auto; max-height: 32rem; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.copy { position: absolute; top: .4rem; right: .4rem; font: .8rem system-ui, sans-serif; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--back); color: var(--text); cursor: pointer; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .94rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .7rem .4rem 0; border-bottom: 1px solid var(--line); }
td:first-child code { overflow-wrap: break-word; }
main ul { padding-left: 1.3rem; }
main li { margin: .25rem 0; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.method { display: inline-block; font: 700 .68rem/1.5 ui-monospace, Consolas, monospace; min-width: 3.2em; color: var(--get); }
.method.post { color: var(--post); }
.method.put, .method.patch { color: var(--put); }
.method.delete { color: var(--delete); }
.operations { list-style: none; padding: 0; }
.operations li { margin: 0; border-bottom: 1px solid var(--line); }
.operations a { display: block; padding: .5rem .2rem; color: inherit; text-decoration: none; }
.operations a:hover { background: var(--raised); }
.operations code { color: var(--soft); background: none; }
.sample { border-bottom: 1px solid var(--line); }
.sample summary { padding: .5rem .2rem; font-weight: 600; cursor: pointer; }
.sample[open] { padding-bottom: .8rem; }
.actions { display: flex; gap: .7rem; flex-wrap: wrap; margin: 1rem 0 1.5rem; }
.button, button:not(.copy) { display: inline-block; font: inherit; font-weight: 600; padding: .45rem 1rem; border-radius: 8px; border: 0; background: light-dark(#0b5cad, #1f6fc4); color: #fff; text-decoration: none; cursor: pointer; }
dialog { max-width: 32rem; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); color: var(--text); }
dialog::backdrop { background: #0008; }
.button.quiet, button.quiet { background: var(--raised); color: var(--text); border: 1px solid var(--line); }
.alternate { margin-top: 3rem; font-size: .9rem; }
form { display: grid; gap: .9rem; max-width: 26rem; }
form label { display: grid; gap: .2rem; }
form input { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .45rem .7rem; }
@media (max-width: 55rem) {
  body { display: block; }
  header { flex-wrap: wrap; gap: .5rem .8rem; padding: .5rem 1rem; }
  .menu { display: inline-block; }
  .session { margin-left: auto; }
  .search { order: 9; flex-basis: 100%; max-width: none; }
  .search input { font-size: 16px; padding-block: .55rem; }
  nav { display: none; }
  nav:target { display: block; position: fixed; inset: 0; height: auto; z-index: 5; background: var(--back); border: 0; }
  nav:target .close { display: inline-block; padding: .5rem; }
  nav li a { padding-block: .5rem; }
  html { scroll-padding-top: 7rem; }
  h1 { font-size: 1.55rem; }
}
@media print { header, nav, .actions { display: none; } body { display: block; } }
`;
