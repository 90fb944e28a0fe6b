import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { TRAP_LABEL } from '../forms/form-labels.ts';
import type { FormName } from '../forms/form-state.ts';
import { FormField } from '../ui/form-field.tsx';

interface FormExtrasProps {
  form: FormName;
  /** What is said of the trap when something has been caught in it. */
  error: string | undefined;
}

/**
 * The hidden fields of every form: which one it is, where it stood, and a trap for robots. Whose password manager has
 * walked into it sees it from then on, empty.
 */
export function FormExtras({ form, error }: FormExtrasProps) {
  const { pathname } = useLocation();
  const [isShown, setShown] = useState(false);
  if (error && !isShown) setShown(true);
  return (
    <>
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="page" value={pathname} />
      {isShown ? (
        <FormField
          id={`${form}-website`}
          name="website"
          label={TRAP_LABEL}
          error={error}
          autoComplete="off"
          required={false}
        />
      ) : (
        <div className="el-visually-hidden" aria-hidden="true">
          <label>
            {TRAP_LABEL}
            {/* Password managers and the like are asked to leave it alone, too. */}
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
    </>
  );
}
