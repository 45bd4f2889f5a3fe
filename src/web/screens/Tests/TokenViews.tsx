import { Check, Plus, Radio, Server, Trash2, Unplug } from 'lucide-react';
import { useRef, useState } from 'react';
import { type Tone, toneRank } from '../../../registry/tone.ts';
import { Keys } from '../../keyboard/Keys.tsx';
import { Breakable } from '../../kit/Breakable.tsx';
import { Button, IconButton } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { Input, InputBox } from '../../kit/input.tsx';
import { LinkButton, PlaceLink } from '../../kit/Link.tsx';
import { clusterStyle, ProBadge } from '../../kit/marks.tsx';
import { menuBox, menuItem, menuLine, menuNothing, menuSub, menuTick } from '../../kit/menu.ts';
import { NumberField } from '../../kit/NumberField.tsx';
import { PickerButton } from '../../kit/PickerButton.tsx';
import { PickerMenu } from '../../kit/PickerMenu.tsx';
import { SkeletonRows } from '../../kit/ScreenPending.tsx';
import { Section } from '../../kit/Section.tsx';
import { Card, CardCell, CardNote, CardTable, cardRow } from '../../kit/Card.tsx';
import { cardAside } from '../../kit/card.ts';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import {
  freshLook,
  messageLook,
  StatusHint,
  StatusLine,
  StatusRetry,
  StatusSpace,
  Tally,
} from '../../kit/StatusLine.tsx';
import { StepLine } from '../../kit/StepLine.tsx';
import { Toolbar } from '../../kit/Toolbar.tsx';
import { Line, Part } from './TokenPart.tsx';

const nothing = () => undefined;
const tones = Object.keys(toneRank) as readonly Tone[];

/** What pages and sections list: facts, steps, fields that belong together, rows to come. */
export function Lists() {
  return (
    <Part title="Lists">
      <SetList>
        <SetCard title="Card of settings">
          <FieldGroup label="Fields that belong together">
            <NumberField
              label="Replicas"
              value="5"
              min={0}
              max={50}
              before="3"
              error={undefined}
              onChange={nothing}
            />
            <NumberField
              label="Replicas, wrong"
              value="x"
              min={0}
              max={50}
              before="3"
              error="Type a number"
              onChange={nothing}
            />
          </FieldGroup>
        </SetCard>
      </SetList>
      <Card title="Card with a table" beside={<span className={cardAside}>worst first</span>}>
        <CardTable
          label="Card with a table"
          columns={[{ label: 'Name' }, { label: 'Count', isNumber: true }]}
        >
          <tr className={cardRow}>
            <CardCell isMiddle>checkout</CardCell>
            <CardCell isNumber isMiddle>
              3
            </CardCell>
          </tr>
        </CardTable>
        <CardNote>and 2 more</CardNote>
      </Card>
      <Section title="Section" about="2 facts">
        <FactList>
          <Fact name="Image" isMono>
            <Breakable text="registry.example.org/shop/checkout:1.4.2" />
          </Fact>
          <Fact name="Strategy">RollingUpdate</Fact>
        </FactList>
      </Section>
      <ul>
        {tones.map((tone) => (
          <StepLine key={tone} tone={tone} name={`A step that is ${tone}`}>
            what is said of it
          </StepLine>
        ))}
      </ul>
      <SkeletonRows isFramed />
      <Line>
        <PlaceLink href="/clusters">A link to a place</PlaceLink>
        <LinkButton onClick={nothing}>A button among words</LinkButton>
        <ProBadge />
      </Line>
    </Part>
  );
}

/** The bars of a view, and what stands in them. */
export function Bars() {
  const retry = <StatusRetry keys={<Keys keys="r" />} onRetry={nothing} />;
  return (
    <Part title="Bars">
      {(['never', 'narrow', 'always'] as const).map((wraps) => (
        <Toolbar key={wraps} wraps={wraps}>
          <InputBox size="sm" className="w-40">
            <Input type="search" aria-label={`Filter, wraps ${wraps}`} placeholder="Filter" />
          </InputBox>
          <span className="min-w-0 flex-1" />
          <IconButton label="Create" size="sm">
            <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </Toolbar>
      ))}
      <Line>
        {(['topbar', 'namespace', 'tools'] as const).map((place) => (
          <PickerButton key={place} place={place}>
            <span className="truncate">playground</span>
          </PickerButton>
        ))}
      </Line>
      <div>
        <StatusLine mode="NORMAL">
          <span className={freshLook()}>
            <Radio size={12} strokeWidth={1.75} aria-hidden="true" />
            Live
          </span>
          <Tally tone="ok" count={118} word="well" />
          <Tally tone="warn" count={3} word="need a look" />
          <Tally tone="bad" count={2} word="not well" />
          <StatusSpace />
          <StatusHint>
            <Keys keys="/" />
            filter
          </StatusHint>
        </StatusLine>
        <StatusLine mode="NORMAL" isStale>
          <span className={freshLook({ isExplained: true })}>
            <Unplug size={12} strokeWidth={1.75} aria-hidden="true" />
            40 s old
          </span>
          <span className={messageLook}>The cluster does not answer.</span>
          <StatusSpace />
          {retry}
        </StatusLine>
        <StatusLine mode="NORMAL">
          <span className={freshLook({ hasFailed: true })}>Not loaded</span>
          <StatusSpace />
          {retry}
        </StatusLine>
      </div>
    </Part>
  );
}

/** What lies over a page: a menu with its items in every state, a list to choose from, dialogs of every width. */
export function Boxes() {
  const picker = useRef<HTMLButtonElement>(null);
  const [isPicking, setPicking] = useState(false);
  const [width, open] = useState<(typeof dialogWidths)[number]>();
  return (
    <Part title="Boxes">
      <div className={`relative w-64 ${menuBox}`} role="menu" aria-label="Menu">
        <div className={menuItem()} role="menuitem">
          Chosen
          <Check className={menuTick} size={15} strokeWidth={1.75} aria-hidden="true" />
        </div>
        <div className={menuItem()} role="menuitem" data-highlighted="">
          <span>
            Highlighted
            <span className={`block ${menuSub}`}>its second line</span>
          </span>
        </div>
        <div className={menuItem()} role="menuitem" aria-disabled data-disabled="">
          <span>
            Disabled
            <span className={`block ${menuSub}`}>why it cannot be chosen now</span>
          </span>
        </div>
        <div className={menuLine} aria-hidden="true" />
        {([{}, { 'data-highlighted': '' }, { 'data-disabled': '', 'aria-disabled': true }] as const).map(
          (state, index) => (
            <div key={index} className={menuItem({ isDanger: true })} role="menuitem" {...state}>
              <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
              Destroys
            </div>
          ),
        )}
      </div>
      <p className={menuNothing}>Nothing to choose.</p>
      <Line>
        <PickerButton ref={picker} place="topbar" onClick={() => setPicking(!isPicking)}>
          Choose a cluster
        </PickerButton>
        {dialogWidths.map((name) => (
          <Button key={name} onClick={() => open(name)}>{`Dialog, ${name}`}</Button>
        ))}
      </Line>
      {isPicking && (
        <PickerMenu
          anchor={picker}
          label="Cluster"
          placeholder="Search clusters"
          emptyText="No cluster matches."
          entries={['prod-eu-1', 'staging-eu'].map((id) => ({ id, text: id, content: id }))}
          selected="prod-eu-1"
          onSelect={nothing}
          onClose={() => setPicking(false)}
        />
      )}
      {width !== undefined && (
        <Dialog
          title={`A dialog that is ${width}`}
          icon={<Server size={16} strokeWidth={1.75} aria-hidden="true" />}
          description={<p>What will happen, and what it is done to.</p>}
          width={width}
          isProtected={width === 'form'}
          isDangerous={width === 'wide'}
          style={clusterStyle(2)}
          onClose={() => open(undefined)}
          footer={
            <>
              <StatusSpace />
              <Button onClick={() => open(undefined)}>Cancel</Button>
              <Button variant="primary" data-acts="" onClick={() => open(undefined)}>
                Act
              </Button>
            </>
          }
        />
      )}
    </Part>
  );
}

const dialogWidths = ['usual', 'form', 'wide', 'sheet', 'editor'] as const;
