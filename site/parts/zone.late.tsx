import { type ComponentType, lazy } from 'react';
import type { ZonePart } from '../../shared/content/descriptions.ts';
import type { BlockProps } from '../../shared/content/landing.ts';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { routeById } from '../../shared/routing/routes.ts';
import { RichText } from '../../shared/ui/rich-text/rich-text.tsx';
import { lateBlockViews } from '../late-block-views.ts';
import { PAGE_CONTACTS } from './entry-data.ts';

type View = ComponentType<BlockProps<object>>;
interface BlockModule {
  readonly default: View;
  readonly stylesheet?: string;
}

// The casts are safe: the loader has made the data for the component of this name (`CompleteBlock`).
const loaders: Readonly<Record<string, (() => Promise<object>) | undefined>> = {
  ...lateBlockViews,
  [PAGE_CONTACTS]: () => import('./page-contacts.late.tsx'),
};
const views = new Map<string, View>();

/** @returns the views of the landing page's blocks. They are all in the chunk of that page, in 2 kB. */
async function landingViews(): Promise<Readonly<Record<string, View>>> {
  const { blockViews } = (await routeById('home').page()) as { blockViews: Readonly<Record<string, View>> };
  return blockViews;
}

async function loadView(name: string): Promise<BlockModule> {
  const own = loaders[name];
  return own ? ((await own()) as BlockModule) : { default: (await landingViews())[name] as View };
}

// The server loads all views before its first page, because nothing should suspend there.
if (!__BROWSER__) void loadAllViews();

async function loadAllViews(): Promise<void> {
  for (const name of [...Object.keys(await landingViews()), ...Object.keys(loaders)])
    views.set(name, (await loadView(name)).default);
}

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
