import { type ComponentProps, type ComponentType, Fragment } from 'react';
import { CONTACT_FIELDS } from '../shared/forms/contact-fields.ts';
import { type FormState, FormStateContext } from '../shared/forms/form-state.ts';
import { useLabels } from '../shared/labels/labels-context.ts';
import type { Shell } from '../shared/payload/shell.ts';
import { Accordion } from '../shared/ui/accordion.tsx';
import { Avatar } from '../shared/ui/avatar.tsx';
import { Breadcrumbs } from '../shared/ui/breadcrumbs.tsx';
import { Button, ButtonLink } from '../shared/ui/button.tsx';
import { CheckField } from '../shared/ui/fields/check-field.tsx';
import { FormField } from '../shared/ui/fields/form-field.tsx';
import { Pagination } from '../shared/ui/pagination.tsx';
import RichNodes from '../shared/ui/rich-text/rich-nodes.tsx';
import { RichNodesContext } from '../shared/ui/rich-text/rich-text.tsx';
import { ArticleCard } from './parts/articles/article-card.tsx';
import { EmptyNote } from './parts/empty-note.tsx';
import { ContactForm } from './parts/forms/contact-form.tsx';
import { FormNotice } from './parts/forms/form-notice.tsx';
import { SearchForm } from './parts/forms/search-form.tsx';
import { SubscribeForm } from './parts/forms/subscribe-form.tsx';
import { PageIntro } from './parts/page-intro.tsx';
import { ShellContext } from './parts/shell-context.ts';
import { SocialLinks } from './parts/social-links.tsx';
import { viewOf } from './parts/zone.late.tsx';

/** The parts with a `*.sample.json`, by the name of the file. A function adds what JSON cannot say. */
const parts: Readonly<Record<string, ComponentType<never>>> = {
  accordion: Accordion,
  'article-card': ArticleCard,
  avatar: Avatar,
  breadcrumbs: Breadcrumbs,
  button: (props: ComponentProps<typeof ButtonLink>) =>
    props.href ? <ButtonLink {...props} /> : <Button {...props} />,
  'check-field': CheckField,
  'contact-form': (state: FormState) => (
    <FormStateContext value={state.form ? state : null}>
      <ContactForm />
    </FormStateContext>
  ),
  'empty-note': EmptyNote,
  'form-field': FormField,
  'form-notice': SampleNotice,
  'page-intro': PageIntro,
  pagination: (props: { page: number; pageCount: number }) => (
    <Pagination {...props} hrefOf={page => `?page=${page}`} label="Pages" />
  ),
  'search-form': SearchForm,
  'social-links': SocialLinks,
  'subscribe-form': (state: FormState) => (
    <FormStateContext value={state.form ? state : null}>
      <SubscribeForm labelledBy="styleguide" />
    </FormStateContext>
  ),
};

function SampleNotice(props: ComponentProps<typeof FormNotice>) {
  const thanks = useLabels().text('messageSent');
  return <FormNotice {...props} fields={CONTACT_FIELDS} idPrefix="notice" thanks={thanks} ref={null} />;
}

const shell: Shell = {
  siteName: 'Acme',
  ...{ headerLinks: [], footerLinks: [], socials: [], categories: [] },
  subscribeSocials: [{ title: 'Letter', href: 'https://letter.example.com/', icon: '/favicon.svg' }],
  privacyLink: '/privacy',
};

export interface ShownSample {
  readonly name: string;
  readonly block: string | null;
  readonly states: readonly {
    readonly state: string;
    /** The props of a part, or the values of a block. Null if the block shows nothing. */
    readonly data: object | null;
    readonly problems: readonly string[];
  }[];
}

interface StyleguideProps {
  names: readonly string[];
  query: string;
  samples: readonly ShownSample[];
}

/** The page `/styleguide` of `npm run dev`. */
export function Styleguide({ names, query, samples }: StyleguideProps) {
  return (
    <ShellContext value={shell}>
      <RichNodesContext value={RichNodes}>
        <nav className="el-frame">
          {['light', 'dark'].map(theme => (
            <Fragment key={theme}>
              <a href={`?theme=${theme}`}>{theme}</a> ·{' '}
            </Fragment>
          ))}
          <a href={`/styleguide${query}`}>everything</a>
          {names.map(name => (
            <Fragment key={name}>
              {' '}
              · <a href={`/styleguide/${name}${query}`}>{name}</a>
            </Fragment>
          ))}
        </nav>
        <main>
          {samples.map(sample => (
            <Sample key={sample.name} {...sample} />
          ))}
        </main>
      </RichNodesContext>
    </ShellContext>
  );
}

function Sample({ name, block, states }: ShownSample) {
  // The cast is safe: the decoder has made the values of a block, and a test renders each part.
  const View = (block === null ? parts[name] : viewOf(block)) as ComponentType<object> | undefined;
  if (!View) throw new Error(`${name}.sample.json has no component in site/styleguide.tsx`);
  return states.map(({ state, data, problems }, index) => (
    <Fragment key={state}>
      <h2 className="el-frame">
        <code>{`${name}: ${state}`}</code>
      </h2>
      {problems.map(problem => (
        <p key={problem} className="el-frame" role="alert">
          {problem}
        </p>
      ))}
      {block === null ? (
        <div className="el-frame el-section">
          <View {...data} />
        </div>
      ) : data ? (
        <View {...{ data, id: `${name}-${index}`, isLast: false }} />
      ) : null}
    </Fragment>
  ));
}
