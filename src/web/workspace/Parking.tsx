import { Component } from 'react';

interface ParkingProps {
  /** Where each host stands, by its id: another place is another text. */
  readonly homes: ReadonlyMap<string, string>;
  /** Takes these hosts out of places that are about to go. */
  readonly park: (ids: readonly string[]) => void;
}

/**
 * Parks hosts before React takes their places away: afterwards they would have lost the focus and their scrolling.
 * A class, since no hook runs at that moment.
 */
export class Parking extends Component<ParkingProps> {
  override getSnapshotBeforeUpdate(before: ParkingProps): null {
    const { homes, park } = this.props;
    const moved = [...before.homes].flatMap(([id, home]) =>
      homes.has(id) && homes.get(id) !== home ? [id] : [],
    );
    if (moved.length > 0) park(moved);
    return null;
  }

  // React asks for it beside a snapshot.
  override componentDidUpdate(): void {}

  override render(): null {
    return null;
  }
}
