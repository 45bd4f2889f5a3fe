import { type FormEvent, useState } from 'react';
import { Problem } from '../../contract/problem.ts';
import { holdFields } from './hold-fields.ts';

/** The progress of a form's one submission. What was typed is never touched. */
export interface FormState {
  readonly isBusy: boolean;
  /** The failure of the whole form; undefined while its fields say what is wrong with them. */
  readonly failure: unknown;
  /** The failure of one field, by its path in the request. */
  readonly issue: (path: string) => string | undefined;
  readonly submit: (event: FormEvent) => void;
}

/** Runs a submission once at a time and keeps what it answered. Meanwhile nothing can be typed into the form. */
export function useForm(run: () => Promise<void>): FormState {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const issues = failure instanceof Problem ? failure.issues : [];
  const known = (path: string) => issues.find((one) => one.path.replace(/^body\./, '') === path)?.message;
  const hasFieldIssues = issues.length > 0;
  return {
    isBusy,
    failure: hasFieldIssues ? undefined : failure,
    issue: known,
    submit: (event) => {
      event.preventDefault();
      if (isBusy) return;
      const { currentTarget } = event;
      const release = currentTarget instanceof HTMLFormElement ? holdFields(currentTarget) : undefined;
      setBusy(true);
      setFailure(undefined);
      run()
        .catch((error: unknown) => setFailure(error))
        .finally(() => {
          release?.();
          setBusy(false);
        });
    },
  };
}
