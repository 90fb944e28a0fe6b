import { type ComponentType, lazy, use } from 'react';
import type { WithSections } from '../../shared/content/seo.ts';
import { ServedElement } from '../../shared/ui/rendering/served-element.tsx';

const load = () => import('./zone.late.tsx');
const Zone = __BROWSER__ ? lazy(load) : loadedAtOnce(load);

export async function loadParts({ sections }: WithSections): Promise<void> {
  if (sections) await (await load()).loadViews(sections);
}

/** The sections of a page from the first block on. Only pages with a block load the code for them. */
export function Sections({ of: { sections } }: { of: WithSections }) {
  if (!sections) return null;
  const zone = <Zone sections={sections} />;
  return sections.some(part => 'hasForm' in part) ? (
    <div className="el-sections">{zone}</div>
  ) : (
    <ServedElement as="div" source={sections} className="el-sections">
      {zone}
    </ServedElement>
  );
}

/**
 * Starts to load the view at once, so that the server's first page does not suspend. Its stylesheet would
 * then be at another place than on later pages.
 */
function loadedAtOnce<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  let View: ComponentType<Props> | null = null;
  const loaded = load().then(module => {
    View = module.default;
  });
  return props => {
    if (View === null) use(loaded);
    return View && <View {...props} />;
  };
}
