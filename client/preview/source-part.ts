export interface SourcePart {
  readonly start: number;
  readonly text: string;
}

/** Parts of Markdown whose letters a page does not show: pictures, addresses, elements, numbers. */
const MARKUP = [
  /!\[[^[\]]*\]\([^()]*\)/g,
  /\]\([^()]*\)/g,
  /\[![A-Z]+\]/g,
  /<[^<>]*>/g,
  /^ {0,3}(?:```|~~~).*$/gm,
  /^ {0,9}\d{1,9}[.)] /gm,
];
const HEADING = /^#{1,6} /;

/** @returns the blocks of a Markdown source that an element shows; the whole source if that is ambiguous. */
export function shownPart(source: string, shown: string): SourcePart {
  const wanted = lettersOf(shown);
  const blocks = blocksOf(source).map(block => ({ ...block, letters: lettersOf(withoutMarkup(block.text)) }));
  const found: SourcePart[] = [];
  for (const [index, { start, letters }] of blocks.entries()) {
    let together = '';
    // A list, a quotation or code may be several blocks.
    for (const block of letters === '' ? [] : blocks.slice(index)) {
      together += block.letters;
      if (together === wanted)
        found.push({ start, text: source.slice(start, block.start + block.text.length) });
      if (together.length >= wanted.length) break;
    }
  }
  const [only, ...others] = found;
  return only && others.length === 0 ? only : { start: 0, text: source };
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

function withoutMarkup(text: string): string {
  return MARKUP.reduce((left, pattern) => left.replace(pattern, ''), text);
}

/** Splits at blank lines and headings, so code with blank lines is several blocks. */
function blocksOf(source: string): SourcePart[] {
  const starts: number[] = [];
  let [position, isNew] = [0, true];
  for (const line of source.split(/(?<=\n)/)) {
    const isBlank = line.trim() === '';
    if (!isBlank && (isNew || HEADING.test(line))) starts.push(position);
    isNew = isBlank || HEADING.test(line);
    position += line.length;
  }
  return starts.map((start, index) => ({ start, text: source.slice(start, starts[index + 1]).trimEnd() }));
}
