import type { ComponentType } from 'react';
import type { BlockProps } from '../../../shared/content/landing.ts';
import { HeadingEnd } from '../../../shared/ui/heading-end.tsx';
import { blockViews } from '../../block-views.ts';
import { loadHeader } from '../../blocks/header/header.tsx';
import type { HomeData } from './home.route.ts';
import { OwnText } from './own-text.tsx';

/** Other pages with such blocks load their views from this chunk, too. */
export { blockViews };

export const loadParts = ({ positions }: HomeData) => loadHeader(headerOf(positions));

function headerOf(positions: readonly { block?: string; data?: object; id?: string }[]): object | undefined {
  return positions.find(({ block }) => block === 'header')?.data;
}

/** Renders the blocks in the content's order, each at most once. */
export default function HomePage({ data }: { data: HomeData }) {
  const { positions } = data;
  const lastBlock = positions.findLastIndex(position => 'block' in position);
  return (
    <>
      {headerOf(positions) ? null : (
        <>
          <h1 tabIndex={-1} className="el-visually-hidden">
            {data.h1}
          </h1>
          <HeadingEnd />
        </>
      )}
      {positions.map((position, index) => {
        if ('block' in position) {
          // The cast is safe: the loader has made the data for this block's component (`CompleteBlock`).
          const View = blockViews[position.block] as ComponentType<BlockProps<object>>;
          return <View key={position.block} data={position.data} isLast={index === lastBlock} />;
        }
        return (
          <OwnText
            key={position.id}
            id={position.id}
            number={positions.slice(0, index + 1).filter(other => 'custom' in other).length}
            content={position.custom}
          />
        );
      })}
    </>
  );
}
