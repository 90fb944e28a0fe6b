import fs from 'node:fs';
import { expect, it } from 'vitest';

const CLASS = /^(?:export )?(?:abstract )?class (\w+)[\s\S]*?\n\}\n/gm;
const METHOD = /^ {2}(?:async |\*)?([a-z]\w*)(?:<.*>)?\(/gm;
/** `name: Type`, `name?: Type` or `name = new Type`. */
const TYPED = /(\w+)\??(?:: | = new )([A-Z]\w*)\b/g;

/** Finds methods taken unbound, which Biome and the compiler allow. Knows a class only from the same file. */
function unboundMethods(files: readonly (readonly [file: string, text: string])[]): readonly string[] {
  const methods = new Map(
    files.flatMap(([, text]) =>
      Array.from(text.matchAll(CLASS), ([body, name = '']) => [
        name,
        new Set(Array.from(body.matchAll(METHOD), ([, method]) => method)),
      ]),
    ),
  );
  return files.flatMap(([file, text]) =>
    [...new Map(Array.from(text.matchAll(TYPED), ([, name = '', type = '']) => [name, type]))].flatMap(
      ([name, type]) => {
        const taken = new RegExp(
          `\\b${name}\\.(\\w+)\\b(?!\\?\\.\\(|[(<.\`]| =)|\\{([^{}]*)\\} = (?:this\\.#)?${name};`,
          'g',
        );
        return Array.from(text.matchAll(taken), ([, one = '', several = '']) => `${one} ${several}`)
          .flatMap(words => words.match(/\w+/g) ?? [])
          .filter(word => methods.get(type)?.has(word))
          .map(word => `${file}: ${name}.${word}`);
      },
    ),
  );
}

it('no code takes a method from its object unbound, and the check finds such code in an example', () => {
  const example = `class Queue {
  stop() {}
}
const queue = new Queue();
onExit(queue.stop);
queue.stop();
const { stop } = queue;
`;
  expect(unboundMethods([['a.ts', example]])).toEqual(['a.ts: queue.stop', 'a.ts: queue.stop']);
  const sources = fs.globSync('{server,client,shared,build,site}/**/*.{ts,tsx}');
  expect(unboundMethods(sources.map(file => [file, fs.readFileSync(file, 'utf8')] as const))).toEqual([]);
});
