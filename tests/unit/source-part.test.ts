import { expect, it } from 'vitest';
import { shownPart } from '../../client/preview/source-part.ts';

const SOURCE = `Read [the *rates*](/rates "Rates") first.
## A heading at once
Two lines
of a paragraph with <span lang="de">Wörtern</span>.

1. One

2. Two

> A quotation.
>
> Its second part.

\`\`\`ts
const a = 1;

# no heading
const b = 2;
\`\`\`

![A picture](/uploads/a.png)

Twice.

Twice.
`;

it.each([
  ['Read the rates first.', 'Read [the *rates*](/rates "Rates") first.'],
  ['A heading at once', '## A heading at once'],
  [
    'Two lines of a paragraph with Wörtern.',
    'Two lines\nof a paragraph with <span lang="de">Wörtern</span>.',
  ],
  ['One\nTwo', '1. One\n\n2. Two'],
  ['A quotation.\nIts second part.', '> A quotation.\n>\n> Its second part.'],
  ['const a = 1;\n\n# no heading\nconst b = 2;', '```ts\nconst a = 1;\n\n# no heading\nconst b = 2;\n```'],
])('shownPart finds the Markdown source of the shown text %j', (shown, block) => {
  const part = shownPart(SOURCE, shown);
  expect(part.text).toBe(block);
  expect(SOURCE.slice(part.start, part.start + block.length)).toBe(block);
});

it.each(['Twice.', 'Another text', ''])(
  'shownPart returns the whole source for %j, which it does not find exactly once',
  shown => {
    expect(shownPart(SOURCE, shown)).toEqual({ start: 0, text: SOURCE });
  },
);
