import { type ComponentType, lazy } from 'react';

interface LateModule<Props> {
  readonly default: ComponentType<Props>;
  /** The address of a stylesheet of its own. */
  readonly stylesheet: string;
}

export type LateView<Props> = ComponentType<Props> & {
  /** Loads the view before a navigation shows it. Rejects if that fails. */
  readonly load: () => Promise<unknown>;
};

/** A view with a chunk and a stylesheet of its own. Only pages that show it load both. */
export function lateView<Props extends object>(load: () => Promise<LateModule<Props>>): LateView<Props> {
  const View = lazy(async () => {
    const { default: Contents, stylesheet } = await load();
    // React waits for the stylesheet before it shows the contents, and has it once.
    const Styled = (props: Props) => (
      <>
        <link rel="stylesheet" href={stylesheet} precedence="late" />
        <Contents {...props} />
      </>
    );
    return { default: Styled };
  });
  return Object.assign(View, { load: () => load().then(({ stylesheet }) => fetch(stylesheet)) });
}
