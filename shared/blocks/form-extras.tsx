import { useLocation } from 'react-router-dom';
import type { FormName } from '../form-state.ts';

/** The hidden fields of every form: which one it is, where it stood, and a trap for robots. */
export function FormExtras({ form }: { form: FormName }) {
  const { pathname } = useLocation();
  return (
    <>
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="page" value={pathname} />
      <div className="el-visually-hidden" aria-hidden="true">
        <label>
          Leave this empty
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
    </>
  );
}
