import { type ComponentType, lazy } from 'react';
import type { ZonePart } from '../../shared/content/descriptions.ts';
import type { BlockProps } from '../../shared/content/landing.ts';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { routeById } from '../../shared/routing/routes.ts';
import { RichText } from '../../shared/ui/rich-text/rich-text.tsx';
import { lateBlockViews } from '../late-block-views.ts';

type View = ComponentType<BlockProps<object>>;
interface BlockModule {
  readonly default: View;
  /** The address of a stylesheet of its own. */
  readonly stylesheet?: string;
}

// The casts are safe: the loader has made the data for the component of this name (`CompleteBlock`).
const loaders = lateBlockViews as Readonly<Record<string, (() => Promise<object>) | undefined>>;
const views = new Map<string, View>();

/** The chunk of the landing page has the views of its blocks, all in 2 kB. */
async function loadView(name: string): Promise<BlockModule> {
  const own = loaders[name];
  if (own) return (await own()) as BlockModule;
  const { blockViews } = (await routeById('home').page()) as { blockViews: Readonly<Record<string, View>> };
  return { default: blockViews[name] as View };
}

/** @returns the view of a block of the landing page, or of another page. */
export function viewOf(name: string): View {
  const view = views.get(name) ?? lazy(() => loadView(name));
  views.set(name, view);
  return view;
}

export async function loadViews(sections: readonly ZonePart[]): Promise<void> {
  await Promise.all(
    sections.map(async part => {
      const { stylesheet } = 'block' in part ? await loadView(part.block) : {};
      if (stylesheet) await fetch(stylesheet);
    }),
  );
}

export default function Zone({ sections }: { sections: readonly ZonePart[] }) {
  const labels = useLabels();
  return sections.map((part, index) => {
    if ('text' in part) {
      const number = sections.slice(0, index + 1).filter(other => 'text' in other).length;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text is identified by its place
        <div key={index} className="el-frame">
          <RichText content={part.text} partOf={labels.text('customText', { number: number + 1 })} />
        </div>
      );
    }
    const View = viewOf(part.block);
    return <View key={part.id} data={part.data} id={part.id} isLast={false} />;
  });
}
