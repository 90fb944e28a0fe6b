import { use, useState } from 'react';
import type { FormName } from '../../../shared/forms/form-state.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { useLocation } from '../../../shared/routing/router.ts';
import { FormField } from '../../../shared/ui/fields/form-field.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { ShellContext } from '../shell-context.ts';
import styles from './form-extras.module.css';

const LINK = '\0';

interface FormExtrasProps {
  form: FormName;
  error: string | undefined;
}

/** A filled trap becomes visible and empty, because a person's password manager may have filled it. */
export function FormExtras({ form, error }: FormExtrasProps) {
  const { pathname } = useLocation();
  const labels = useLabels();
  const [before, after] = labels.text('privacyNote', { link: LINK }).split(LINK);
  const [isShown, setShown] = useState(false);
  const privacyLink = use(ShellContext)?.privacyLink;
  if (error && !isShown) setShown(true);
  return (
    <>
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="page" value={pathname} />
      {isShown ? (
        <FormField
          id={`${form}-website`}
          name="website"
          label={labels.text('trap')}
          error={error}
          autoComplete="off"
          required={false}
        />
      ) : (
        <div className="el-visually-hidden" aria-hidden="true">
          <label>
            {labels.text('trap')}
            {/* Ask password managers by data attributes not to fill the trap. */}
            <input
              type="text"
              name="website"
              tabIndex={-1}
              autoComplete="off"
              data-lpignore="true"
              data-1p-ignore="true"
            />
          </label>
        </div>
      )}
      {privacyLink ? (
        <p className={styles.root}>
          {before}
          <Link href={privacyLink}>{labels.text('privacyLink')}</Link>
          {after}
        </p>
      ) : null}
    </>
  );
}
