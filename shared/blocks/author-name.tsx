import type { ShownArticle } from '../content/blog.ts';
import { pathTo } from '../routing/routes.ts';
import { Link } from '../ui/link.tsx';

interface AuthorNameProps {
  author: NonNullable<ShownArticle['author']>;
  className?: string | undefined;
}

/** The name of an author, with a link to the author's page if there is one. */
export function AuthorName({ author: { name, slug }, className }: AuthorNameProps) {
  if (slug === null) return <span className={className}>{name}</span>;
  return (
    <Link href={pathTo('blog-author', { slug })} className={className}>
      {name}
    </Link>
  );
}
