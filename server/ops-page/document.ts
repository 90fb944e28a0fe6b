import { hash } from 'node:crypto';
import { Html, html } from './html.ts';

/** The page belongs to the engine, so its colours do not follow the site's brand. */
const STYLE = `
:root { color-scheme: light dark; --surface: light-dark(#f6f6f6, #131313); --raised: light-dark(#fff, #1c1c1c);
  --ink: light-dark(#1a1a1a, #f2f2f2); --muted: light-dark(#525252, #b5b5b5); --line: light-dark(#ddd, #303030);
  --control: light-dark(#7d7d7d, #808080); --good: light-dark(#1a6b2f, #86d694); --warn: light-dark(#7a4b00, #e5c07b);
  --bad: light-dark(#a8221a, #ff9d94); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 16px; background: var(--surface); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1, h2, h3, p, dl, figure { margin: 0 0 8px; } h1 { font-size: 20px; } h2 { font-size: 17px; } h3 { font-size: 15px; }
main { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
section { min-width: 0; padding: 16px; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; }
.wide { grid-column: 1 / -1; }
dl { display: grid; grid-template-columns: minmax(7rem, 14rem) 1fr; gap: 2px 16px; } dd { margin: 0; overflow-wrap: anywhere; }
dt, thead, .muted { color: var(--muted); } .good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.wide dl { grid-template-columns: max-content 1fr; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin-bottom: 8px; }
th, td { padding: 4px 12px 4px 0; text-align: left; vertical-align: top; font-weight: 400; border-top: 1px solid var(--line); }
thead th { border: 0; } tbody th, time { white-space: nowrap; } summary { padding: 4px 0; margin-bottom: 8px; } .verdict { font-size: 28px; font-weight: 700; }
.reason { border-left: 4px solid var(--warn); padding-left: 12px; margin-top: 16px; }
.plots { display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); }
figcaption { display: flex; justify-content: space-between; gap: 8px; }
svg { display: block; width: 100%; height: 56px; background: var(--surface); }
path { fill: none; stroke: var(--good); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
a { color: var(--good); } :focus-visible { outline: 2px solid var(--good); outline-offset: 2px; }
form { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; margin: 0 0 8px; } label { display: grid; }
input, select, button { font: inherit; color: inherit; min-height: 32px; padding: 2px 10px; max-width: 100%;
  background: var(--surface); border: 1px solid var(--control); border-radius: 4px; } button { cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
.text { overflow-wrap: anywhere; } .text h2, .text h3 { margin-top: 24px; }
@media (width < 36rem) { dl, .wide dl { grid-template-columns: 1fr; } dd { margin: 0 0 6px; }
  table, tbody, tr, tbody th, td { display: block; } .scroll thead, td:empty { display: none; } .text thead th { display: inline-block; }
  tr { padding: 6px 0; border-top: 1px solid var(--line); } tbody th, td { padding: 0; border: 0; overflow-wrap: anywhere; }
  tbody th { font-weight: 700; white-space: normal; } td[data-label]:not([data-label=""])::before { content: attr(data-label) ": "; color: var(--muted); } }
#lost { position: sticky; top: 0; padding: 8px; background: var(--bad); color: var(--surface); }
`;

/** How often a browser asks for the page again, in s: with JavaScript, and without it. */
const RENEWED_EVERY_S = 10;
const RELOADED_EVERY_S = 30;

/** Replaces the sections in place, except one with the focus. Shows a note if the server does not respond. */
const SCRIPT = `
const lost = document.getElementById('lost');
async function renew() {
  if (document.hidden) return;
  try {
    const answer = await fetch('/', { signal: AbortSignal.timeout(5000) });
    if (!answer.ok) throw new Error();
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = fresh.getElementById(part.id);
      if (!next || part.contains(document.activeElement)) continue;
      if (part.querySelector('details[open]')) next.querySelector('details')?.setAttribute('open', '');
      part.replaceWith(next);
    }
    lost.hidden = true;
  } catch {
    if (lost.hidden) lost.textContent = 'No answer since ' + new Date().toLocaleTimeString() + ': what is below is older.';
    lost.hidden = false;
  }
}
setInterval(renew, ${RENEWED_EVERY_S * 1_000});
document.addEventListener('visibilitychange', renew);
`;

const hashOf = (code: string) => `'sha256-${hash('sha256', code, 'base64')}'`;

export const POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export function htmlDocument(title: string, body: Html, isLive = false): string {
  const reload = html`<noscript><meta http-equiv="refresh" content="${RELOADED_EVERY_S}"></noscript>`;
  const script = html`<script>${new Html(SCRIPT)}</script>`;
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>${isLive && reload}</head>
<body><p id="lost" role="alert" hidden></p>${body}${isLive && script}</body></html>`.text;
}
