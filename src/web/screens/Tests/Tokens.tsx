import { RotateCw, Search, SearchX, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import sheet from '../../styles/tokens.css?raw';
import { type Tone, toneRank } from '../../../registry/tone.ts';
import { Keys } from '../../keyboard/Keys.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Button, buttonSizes, buttonVariants, IconButton } from '../../kit/Button.tsx';
import { CopyButton, CopyIcon } from '../../kit/CopyButton.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { TextField } from '../../kit/fields.tsx';
import { CheckLine, Input, InputBox, NativeSelect, TextArea } from '../../kit/input.tsx';
import { CheckMark, Flag, Glyph, StatusText, WheelMark } from '../../kit/marks.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { Note } from '../../kit/Note.tsx';
import { SafeLink } from '../../kit/SafeLink.tsx';
import { Select } from '../../kit/Select.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { State } from '../../kit/State.tsx';
import { UsageBar } from '../../kit/UsageBar.tsx';
import { Page } from '../../frame/Page.tsx';
import { Line, Part, partGrid } from './TokenPart.tsx';
import { Bars, Boxes, Lists } from './TokenViews.tsx';

/** Names of the sheet's tokens that begin alike, without what belongs to another of them (`--text-sm--line-height`). */
function tokensOf(prefix: string): readonly string[] {
  const names = [...sheet.matchAll(/^\s*(--[a-z0-9-]+):/gm)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => name.startsWith(prefix) && !name.slice(2).includes('--'));
}

const nothing = () => undefined;
const tones = Object.keys(toneRank) as readonly Tone[];

/** One token: its look, then its name. */
function Token({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      {children}
      <span className="mono min-w-0 truncate">{name.slice(2)}</span>
    </div>
  );
}

/** `/tests/tokens`: every token, and every shared piece in all states; in development and for pictures only. */
export function Screen() {
  return (
    <Page
      title="Tokens"
      mode="TEST"
      about="Colours, type, spacing and the shared pieces in all their states."
    >
      <div className="flex flex-col gap-3">
        <Tokens />
        <Buttons />
        <Fields />
        <Marks />
        <Messages />
        <Lists />
        <Bars />
        <Boxes />
      </div>
    </Page>
  );
}

function Tokens() {
  return (
    <>
      <Part title="Colours">
        <div className={partGrid}>
          {tokensOf('--color-').map((name) => (
            <Token key={name} name={name}>
              <span
                className="size-6 flex-none rounded-xs border border-control forced-color-adjust-none"
                style={{ background: `var(${name})` }}
              />
            </Token>
          ))}
        </div>
      </Part>
      <Part title="Type">
        {tokensOf('--text-').map((name) => (
          <p key={name} style={{ fontSize: `var(${name})`, lineHeight: `var(${name}--line-height)` }}>
            {name.slice(2)}: checkout-7d9f8b6c5-x2x7k, Il1O0, <b className="font-medium">medium</b>,{' '}
            <b className="font-semibold">semibold</b>
          </p>
        ))}
        <p className="mono">mono: registry.example.org/shop/cart:1.4.2 != 1</p>
      </Part>
      <Part title="Spacing">
        {tokensOf('--spacing').map((name) => (
          <Token key={name} name={name}>
            <span className="h-3 flex-none bg-accent" style={{ width: `var(${name})` }} />
          </Token>
        ))}
      </Part>
      <Part title="Radii and shadows">
        <div className={partGrid}>
          {tokensOf('--radius-').map((name) => (
            <Token key={name} name={name}>
              <span
                className="size-8 flex-none border border-control bg-fill"
                style={{ borderRadius: `var(${name})` }}
              />
            </Token>
          ))}
          {tokensOf('--shadow-').map((name) => (
            <Token key={name} name={name}>
              <span className="size-8 flex-none bg-overlay" style={{ boxShadow: `var(${name})` }} />
            </Token>
          ))}
        </div>
      </Part>
    </>
  );
}

function Buttons() {
  const icon = <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />;
  return (
    <Part title="Buttons">
      {buttonVariants.map((variant) => (
        <Line key={variant}>
          {buttonSizes.map((size) => (
            <Button key={size} variant={variant} size={size} icon={icon}>
              {`${variant} ${size}`}
            </Button>
          ))}
          <Button variant={variant} aria-pressed>
            Pressed
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
          <Button variant={variant} isLoading>
            Loading
          </Button>
          <Button variant={variant} className="outline-2 outline-offset-1 outline-focus">
            Focused
          </Button>
        </Line>
      ))}
      <Line>
        {buttonSizes.map((size) => (
          <IconButton key={size} label={`Delete ${size}`} size={size}>
            <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        ))}
        <IconButton label="Delete, disabled" disabled>
          <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <CopyButton text={() => ''}>Copy</CopyButton>
        <CopyIcon label="Copy" text={() => ''} />
      </Line>
    </Part>
  );
}

function Fields() {
  const options = ['prod-eu-1', 'staging-eu'].map((name) => ({ value: name, label: name }));
  const select = { options, value: 'prod-eu-1', onChange: nothing };
  return (
    <Part title="Fields">
      <div className={partGrid}>
        <TextField label="Name" help="As the cluster has it" defaultValue="checkout" />
        <TextField label="Required" required placeholder="Nothing yet" error="Type a name" />
        <TextField label="Disabled" disabled defaultValue="checkout" />
        <TextField label="Large" size="lg" defaultValue="checkout" />
        <Select label="Choice" help="Where it is created" {...select} />
        <Select
          label="None chosen"
          required
          placeholder="Select cluster"
          {...select}
          value=""
          error="Choose"
        />
        <Select label="Choice, disabled" disabled {...select} />
        <Select label="Choice, loading" isLoading {...select} />
      </div>
      <Line>
        <InputBox size="sm" className="w-60">
          <Search size={13} strokeWidth={1.75} aria-hidden="true" />
          <Input type="search" aria-label="Search" placeholder="Search" />
        </InputBox>
        <NativeSelect aria-label="Time">
          <option>Any time</option>
        </NativeSelect>
        <CheckLine defaultChecked>Checked</CheckLine>
        <CheckLine>Unchecked</CheckLine>
        <CheckLine disabled defaultChecked>
          Checked, disabled
        </CheckLine>
        <CheckLine disabled>Unchecked, disabled</CheckLine>
        {['Chosen', 'Not chosen'].map((text, index) => (
          <label key={text} className="inline-flex items-center gap-1.5">
            <input type="radio" name="tokens" defaultChecked={index === 0} />
            {text}
          </label>
        ))}
      </Line>
      <TextArea aria-label="YAML" defaultValue={'kind: Pod\nmetadata: {}'} rows={2} />
      <TextArea aria-label="YAML, wrong" isInvalid placeholder="Paste YAML" rows={2} />
      <TextArea aria-label="YAML, dropped on" isOver rows={2} />
    </Part>
  );
}

function Marks() {
  return (
    <Part title="Marks">
      <Line>
        {tones.map((tone) => (
          <StatusText key={tone} tone={tone} label={tone} />
        ))}
        <StatusText tone="idle" label="Completed" />
      </Line>
      <Line>
        <Badge>Protected</Badge>
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            <Glyph tone={tone} size={11} />
            {tone}
          </Badge>
        ))}
      </Line>
      <Line>
        {Array.from({ length: 8 }, (_, index) => (
          <Flag key={index} colour={index + 1} size={16} />
        ))}
        <WheelMark />
        <CheckMark state="none" />
        <CheckMark state="some" />
        <CheckMark state="all" />
        <Keys keys="mod+k" />
        <Keys keys="g p" />
      </Line>
      <div className={partGrid}>
        {[0.4, 0.85, 0.97].map((share) => (
          <UsageBar key={share} share={share} mark={0.5} label={`${share * 100} %`} />
        ))}
        <MiddleCut text="recommendations-5777f756d4-cscbh" />
        <SafeLink address="https://example.org/runbook" />
      </div>
    </Part>
  );
}

function Messages() {
  return (
    <Part title="Messages">
      {(['info', 'warn', 'bad'] as const).map((tone) => (
        <Note key={tone} tone={tone}>
          <Glyph tone={tone} size={13} />
          <div>What happened, and what to do.</div>
        </Note>
      ))}
      <ErrorAlert title="Could not load pods." message="The cluster does not answer." onRetry={nothing} />
      <div className="grid h-48 grid-cols-2">
        <State
          place="page"
          icon={<SearchX size={22} strokeWidth={1.75} aria-hidden="true" />}
          title="No pod matches “chekout”"
          actions={<Button variant="secondary">Clear filter</Button>}
        >
          118 pods are hidden by the filter.
        </State>
        <Spinner label="Loading pods" />
      </div>
    </Part>
  );
}
