import { describe, expect, test } from 'vitest';
import { fileOf, importsOf, sources } from '../sources.ts';

const pages = sources('src/web/screens/Tests').filter((file) => /\/Token\w*\.tsx$/.test(file));

/** Components that the page of tokens does not show by name, each with why. */
const shownOtherwise: Readonly<Record<string, string>> = {
  'src/web/kit/ConfirmDialog.tsx': 'a Dialog, which is shown, with a question in it',
  'src/web/kit/CopiedText.tsx': 'a text of the looks of fields.tsx, which are shown, and a CopyButton',
  'src/web/kit/FormDialog.tsx': 'a Dialog, which is shown, with a form in it',
  'src/web/kit/OnceDialog.tsx': 'a Dialog, which is shown, with one button',
  'src/web/kit/Optional.tsx': 'has no look: it holds what is loaded later',
  'src/web/kit/PickMany.tsx': 'lines to check and an Input, which are shown, in one field',
  'src/web/kit/PlacedMenu.tsx': 'a menu of Radix in the looks of menu.ts, which are shown',
  'src/web/kit/SaveRow.tsx': 'a Button, which is shown, that says why it cannot save',
  'src/web/kit/ScreenBoundary.tsx': 'says by ErrorAlert, which is shown, what a screen throws',
  'src/web/kit/ShowOlder.tsx': 'a Button, which is shown, below a log that is read by pages',
  'src/web/kit/TableHead.tsx': 'the headings of table.ts, which are shown',
  'src/web/kit/TextAreaField.tsx': 'a TextArea, which is shown, with the texts of a field',
  'src/web/kit/ViewBody.tsx': 'the page itself stands in it',
  'src/web/kit/PlansButton.tsx': 'a Button, which is shown, for what the plan does not allow',
  'src/web/kit/WhyNotButton.tsx': 'a Button, which is shown, for what somebody may not do',
  'src/web/kit/NameField.tsx': 'a TextField, which is shown, in dialogs that ask for a name',
  'src/web/kit/sprite-icon.tsx': 'every icon of a build is one',
  'src/web/kit/icons.tsx': 'a map of names to icons',
  'src/web/kit/toast/ToastItem.tsx': 'shown at /tests/toast-test',
  'src/web/kit/toast/Toasts.tsx': 'shown at /tests/toast-test',
};

describe('the page of tokens', () => {
  test('shows every shared piece, or another place is named that does', () => {
    const shown = new Set(pages.flatMap((file) => importsOf(file).map((one) => fileOf(file, one))));
    const kit = sources('src/web/kit').filter((file) => file.endsWith('.tsx'));
    expect(kit.filter((file) => !shown.has(file)).sort()).toEqual(Object.keys(shownOtherwise).sort());
  });

  test('is imported by nothing but its route, which only development has', () => {
    const importing = [...sources('src'), ...sources('commands')].filter(
      (file) => !pages.includes(file) && importsOf(file).some((one) => pages.includes(fileOf(file, one))),
    );
    expect(importing).toEqual(['commands/routes/tests.ts']);
  });
});
