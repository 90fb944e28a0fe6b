import type { ShownArticle } from '../../../shared/content/blog.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { Link } from '../../../shared/ui/link.tsx';

interface AuthorNameProps {
  author: NonNullable<ShownArticle['author']>;
  className?: string | undefined;
}

export function AuthorName({ author: { name, slug }, className }: AuthorNameProps) {
  if (slug === null) return <span className={className}>{name}</span>;
  return (
    <Link href={pathTo('blog-author', { slug })} className={className}>
      {name}
    </Link>
  );
}
