import { ArrowUpRight, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonSizes, type ButtonVariant, buttonVariants } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Select } from '../../kit/Select.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { Page } from '../../frame/Page.tsx';

const uses: Readonly<Record<ButtonVariant, string>> = {
  primary: 'The one main action of a view',
  secondary: 'Everything else',
  success: 'Confirms a good end state',
  error: 'Retries or opens a failure',
  danger: 'Destroys; always confirms',
  warning: 'Proceeds despite a risk',
  info: 'Leads to an explanation',
  light: 'Toggled on, quiet group',
  dark: 'Strongest neutral',
  transparent: 'Toolbars, dismiss',
  outline: 'Second choice beside primary',
};
const heights = { sm: 24, md: 28, lg: 36 } as const;
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const cell = 'h-12 px-2.5 py-1 text-left font-normal whitespace-nowrap';
const headCell =
  'h-7 bg-raised px-2.5 py-1 text-left text-(length:--text-2xs) font-normal whitespace-nowrap text-text-2';

/** `/tests/action-button-test`: every variant, size and state of the action button, the select and the error alert. */
export function Screen() {
  return (
    <Page
      title="Action button"
      isCentred="wide"
      mode="TEST"
      about="11 variants, 3 sizes. Default: primary, md."
    >
      <div
        className={`overflow-auto ${cardLook}`}
        role="region"
        aria-label="Action buttons"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to be reachable by keys
        tabIndex={0}
      >
        <table className="w-full border-collapse">
          <thead>
            <tr>
              <th scope="col" className={headCell}>
                Variant
              </th>
              {buttonSizes.map((size) => (
                <th key={size} scope="col" className={headCell}>
                  {size}, {heights[size]}
                </th>
              ))}
              <th scope="col" className={headCell}>
                Icon left
              </th>
              <th scope="col" className={headCell}>
                Icon right
              </th>
              <th scope="col" className={headCell}>
                Focus
              </th>
              <th scope="col" className={headCell}>
                Disabled
              </th>
              <th scope="col" className={headCell}>
                With a reason
              </th>
              <th scope="col" className={headCell}>
                Loading
              </th>
              <th scope="col" className={headCell}>
                Use
              </th>
            </tr>
          </thead>
          <tbody>
            {buttonVariants.map((variant) => (
              <tr key={variant} className="border-t border-hairline">
                <th scope="row" className={`mono ${cell}`}>
                  {variant}
                </th>
                {buttonSizes.map((size) => (
                  <td key={size} className={cell}>
                    <Button variant={variant} size={size}>
                      {capitalized(variant)}
                    </Button>
                  </td>
                ))}
                <td className={cell}>
                  <Button
                    variant={variant}
                    icon={<RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />}
                  >
                    Restart
                  </Button>
                </td>
                <td className={cell}>
                  <Button
                    variant={variant}
                    iconSide="right"
                    icon={<ArrowUpRight size={14} strokeWidth={1.75} aria-hidden="true" />}
                  >
                    Open
                  </Button>
                </td>
                <td className={cell}>
                  <Button variant={variant} className="outline-2 outline-offset-1 outline-focus">
                    Focused
                  </Button>
                </td>
                <td className={cell}>
                  <Button variant={variant} disabled>
                    Disabled
                  </Button>
                </td>
                <td className={cell}>
                  <Button variant={variant} reason="The cluster is read-only.">
                    Delete
                  </Button>
                </td>
                <td className={cell}>
                  <Button variant={variant} isLoading>
                    Save
                  </Button>
                </td>
                <td className={`${cell} text-text-2`}>{uses[variant]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex min-w-0 items-center gap-2">
        <Button>Default</Button>
        <LoadingButton />
      </div>
      <SelectTest />
      <AlertTest />
    </Page>
  );
}

/** Says what it is doing for as long as it is doing it: here until it is pressed again beside it. */
function LoadingButton() {
  const [isLoading, setLoading] = useState(false);
  return (
    <>
      <Button isLoading={isLoading} loadingText="Creating..." onClick={() => setLoading(true)}>
        Create Resource
      </Button>
      <Button variant="secondary" disabled={!isLoading} onClick={() => setLoading(false)}>
        Finish
      </Button>
    </>
  );
}

function SelectTest() {
  const [chosen, setChosen] = useState('');
  const [plain, setPlain] = useState('prod-eu-1');
  const options = ['prod-eu-1', 'staging-eu'].map((name) => ({ value: name, label: name }));
  return (
    <SetCard title="Labelled select">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-4 gap-y-3">
        <Select
          label="Plain"
          value={plain}
          help="Where the object is created"
          options={options}
          onChange={setPlain}
        />
        <Select
          label="Required"
          required
          placeholder="Select cluster"
          value={chosen}
          error={chosen === '' ? 'Choose a cluster' : undefined}
          help="Chosen"
          options={options}
          onChange={setChosen}
        />
        <Select
          label="Disabled"
          disabled
          placeholder="Select template"
          value=""
          help="Choose a type first"
          options={options}
          onChange={() => undefined}
        />
        <Select
          label="Loading"
          isLoading
          placeholder="Loading..."
          value=""
          options={options}
          onChange={() => undefined}
        />
      </div>
    </SetCard>
  );
}

function AlertTest() {
  const [message, setMessage] = useState<string | null>(
    'Failed to load subscription plans. Please try again later.',
  );
  const [isRetrying, setRetrying] = useState(false);
  return (
    <SetCard title="Error alert">
      <ErrorAlert message={message} isRetrying={isRetrying} onRetry={() => setRetrying(true)} />
      <ErrorAlert message={message === null ? null : 'Without Retry: nothing can be tried again.'} />
      <div className="flex min-w-0 items-center gap-1.5">
        <Button size="sm" variant="secondary" onClick={() => setMessage(null)} disabled={message === null}>
          Take the message away
        </Button>
      </div>
    </SetCard>
  );
}
