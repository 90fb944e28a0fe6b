import { PageIntro } from '../blocks/page-intro.tsx';
import type { SubscribePageData } from '../payload/payload.ts';
import { Button } from '../ui/button.tsx';

/**
 * A page that opens by a link of an e-mail, with one button at the most. The form has no address, so that it posts to that of the page with
 * its token.
 */
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
