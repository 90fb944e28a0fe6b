import { Button } from '../../../shared/ui/button.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import type { SubscribePageData } from './subscribe-confirm.route.ts';

/** The page with its form. Without an `action`, the form posts to the page's address, which has the token. */
export default function SubscribePage({ data: { title, text, email, button } }: { data: SubscribePageData }) {
  return (
    <div className="el-frame">
      <PageIntro title={title} text={text}>
        {email === null ? null : (
          <p>
            <strong dir="ltr">{email}</strong>
          </p>
        )}
        {button === null ? null : (
          <form method="post">
            <Button type="submit">{button}</Button>
          </form>
        )}
      </PageIntro>
    </div>
  );
}
