import type { CustomAtRules, Declaration, TokenOrValue, Visitor } from 'lightningcss';

export interface KeyframesScope {
  readonly visitor: Visitor<CustomAtRules>;
  /** The names that no rule uses. Complete only after `visitor` has visited the whole stylesheet. */
  unused(): string[];
}

/** Prefixes the keyframes of a CSS module. lightningcss's own option misses declarations with a `var()`. */
export function scopeKeyframes(code: string, prefix: string): KeyframesScope {
  const names = new Set(Array.from(code.matchAll(/@keyframes\s+["']?([\w-]+)/g), match => match[1] ?? ''));
  const used = new Set<string>();
  const scoped = (name: string) => (names.has(name) ? prefix + name : name);
  const reference = (name: string) => {
    used.add(name);
    return scoped(name);
  };
  const scopeAnimation = (declaration: Declaration) => withoutNulls(scopeReferences(declaration, reference));
  return {
    visitor: {
      Rule: {
        keyframes: rule => {
          rule.value.name.value = scoped(String(rule.value.name.value));
          return rule;
        },
      },
      Declaration: { animation: scopeAnimation, 'animation-name': scopeAnimation },
    },
    unused: () => [...names].filter(name => !used.has(name)),
  };
}

function scopeReferences(declaration: Declaration, scope: (name: string) => string): Declaration {
  const renamed = <Name extends { type: string }>(name: Name): Name =>
    'value' in name ? { ...name, value: scope(String(name.value)) } : name;
  switch (declaration.property) {
    case 'animation':
      return {
        ...declaration,
        value: declaration.value.map(item => ({ ...item, name: renamed(item.name) })),
      };
    case 'animation-name':
      return { ...declaration, value: declaration.value.map(renamed) };
    case 'unparsed':
      // The declaration contains a `var()`, so lightningcss gives its tokens.
      return {
        ...declaration,
        value: { ...declaration.value, value: scopeTokens(declaration.value.value, scope) },
      };
    default:
      return declaration;
  }
}

function scopeTokens(tokens: readonly TokenOrValue[], scope: (name: string) => string): TokenOrValue[] {
  return tokens.map(token => {
    if (token.type === 'token' && token.value.type === 'ident') {
      return { type: 'token', value: { type: 'ident', value: scope(token.value.value) } };
    }
    if (token.type === 'var' && token.value.fallback) {
      return { type: 'var', value: { ...token.value, fallback: scopeTokens(token.value.fallback, scope) } };
    }
    return token;
  });
}

/** lightningcss gives `null` for a missing value but does not accept it. */
function withoutNulls<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (_, item: unknown) => item ?? undefined)) as Value;
}
