import '../styles/mosaic.css';
import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { Mosaic, type MosaicChangeMeta, MosaicWindow } from 'react-mosaic-component';
import { useWorkspace } from '../workspace/port.ts';
import type { FrameProps } from '../workspace/frame.ts';
import { type Boundary, boundariesOf } from '../workspace/geometry.ts';
import { activeTab } from '../workspace/layout.ts';
import { nodeAt, resizeOf, toMosaic } from '../workspace/mosaic-tree.ts';
import { leastSize } from '../workspace/tree.ts';
import { TabHandle, TabsTarget, TileHandle } from './handles.tsx';
import { useTitleOf } from './use-title-of.ts';

const mosaicId = 'deck';
const resize = { minimumPaneSizePercentage: leastSize };

/** Ends a resize that is under way: without a button the movement is over for Mosaic. */
const endResize = () => document.dispatchEvent(new MouseEvent('mousemove', { buttons: 0 }));

/** Mosaic draws the tree of tiles, resizes it, and has the places that tiles and tabs are dropped on. */
export function MosaicFrame({ layout, tiles, names, isCovering, slot }: FrameProps) {
  const titleOf = useTitleOf();
  const { workspace } = useWorkspace();
  const root = useRef<HTMLDivElement>(null);
  /** The resize under way: which boundary moves, and its size before. */
  const resizing = useRef<{ readonly split: string; readonly index: number; readonly size: number }>(
    undefined,
  );

  /** Follows a divider. Everything else that Mosaic says of its tree is done by edits of ours. */
  const follow = (meta: MosaicChangeMeta<string> | undefined, isReleased: boolean) => {
    if (meta?.type !== 'resize') return;
    const { layout: present } = workspace.state.get();
    const split = nodeAt(present.root, meta.path);
    if (split?.type !== 'split') return;
    const wanted = resizeOf(split, meta.splitPercentages);
    if (wanted !== undefined && resizing.current === undefined) {
      const before = { ...wanted, size: split.sizes[wanted.index] ?? wanted.size };
      resizing.current = before;
      workspace.drag.set(() => {
        endResize();
        workspace.change({ type: 'resize', ...before }, 'replace');
      });
    }
    const last = wanted ?? resizing.current;
    if (!isReleased) {
      if (wanted !== undefined) workspace.change({ type: 'resize', ...wanted }, 'none');
      return;
    }
    resizing.current = undefined;
    workspace.drag.set(undefined);
    // The address is written once, where it was let go.
    const size = last === undefined ? undefined : (meta.splitPercentages[last.index] ?? last.size);
    if (last !== undefined && size !== undefined)
      workspace.change({ type: 'resize', split: last.split, index: last.index, size }, 'replace');
  };

  /** The boundary that a divider of Mosaic's stands on: both come in the same order. */
  const boundaryOf = (target: EventTarget): Boundary | undefined => {
    const divider = target instanceof Element ? target.closest('.mosaic-split') : null;
    const dividers = [...(root.current?.querySelectorAll('.mosaic-split') ?? [])];
    return divider === null ? undefined : boundariesOf(layout)[dividers.indexOf(divider)];
  };
  const press = (event: PointerEvent) => {
    const boundary = boundaryOf(event.target);
    if (boundary !== undefined)
      document.getElementById(`boundary-${boundary.split}-${boundary.index}`)?.focus({ preventScroll: true });
  };
  const centre = (event: MouseEvent) => {
    const boundary = boundaryOf(event.target);
    if (boundary === undefined) return;
    const { split, index, least, most } = boundary;
    workspace.change({ type: 'resize', split, index, size: (least + most) / 2 }, 'replace');
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the boundaries over the dividers have the keys
    <div ref={root} className="contents" onPointerDown={press} onDoubleClick={centre}>
      <Mosaic<string>
        mosaicId={mosaicId}
        className=""
        value={toMosaic(layout.root, names)}
        onChange={(_, meta) => follow(meta, false)}
        onRelease={(_, meta) => follow(meta, true)}
        resize={resize}
        dropBehavior="split-and-swap"
        renderTile={(name, path) => {
          const group = tiles.find(({ id }) => names.get(id) === name);
          if (group === undefined) return <></>;
          const title = titleOf(activeTab(group).href);
          return (
            <MosaicWindow<string>
              path={path}
              title={title}
              draggable={false}
              renderToolbar={() => <div />}
              renderPreview={() => <div hidden />}
            >
              <TileHandle mosaicId={mosaicId} tile={group.id} isOn={tiles.length > 1 && !isCovering} />
              {group.tabs.map(({ id }) => (
                <TabHandle key={id} mosaicId={mosaicId} tab={id} isOn={!isCovering} />
              ))}
              <TabsTarget tile={group.id} />
              <div className="absolute inset-0" ref={(element) => slot(group.id, element)} />
            </MosaicWindow>
          );
        }}
      />
    </div>
  );
}
