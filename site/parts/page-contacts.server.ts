import type { ContentReader } from '../../server/content/reading/content-reader.ts';
import type { Entry } from '../../shared/content/entries.ts';
import { blockData } from '../../shared/content/landing.ts';
import type { WithSections } from '../../shared/content/seo.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { contacts } from '../blocks/contacts/contacts.block.ts';
import { PAGE_CONTACTS, type PageContacts } from './entry-data.ts';

const READINGS = 2;

type Asking = Pick<Entry, 'contactForm' | 'contactPerson' | 'sections'>;

/** Loads the contact form, unless a block of the sections has it: a page has at most one. */
export async function contactsOf(
  { contactForm, contactPerson, sections }: Asking,
  reader: ContentReader,
): Promise<WithSections> {
  if (!contactForm || sections.some(part => 'block' in part && part.block === contacts.name)) return {};
  const [landing, settings, newest] = await Promise.all([
    reader.contacts(),
    reader.settings(),
    reader.newestArticles('optional'),
  ]);
  const block = blockData(contacts, landing);
  if (!block) return {};
  const name = contactPerson ?? settings.contactPerson;
  const known = name && (await reader.authorLinks()).find(author => author.name === name);
  const author = known ? await reader.author(known.id) : null;
  const data: PageContacts = {
    block,
    person: name
      ? {
          name,
          position: author?.position ?? null,
          image: author?.image ?? null,
          hours: author?.hours ?? null,
        }
      : null,
    afterSending: settings.afterSending,
    readings: newest.slice(0, READINGS).map(({ title, category, slug }) => ({
      title,
      href: pathTo('blog-article', { category: category.slug, slug }),
    })),
  };
  return { sections: [{ block: PAGE_CONTACTS, id: 'contacts', data, hasForm: true }] };
}
