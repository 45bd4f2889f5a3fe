import { Card } from '../../kit/Card.tsx';

/** The height of two charts with what stands below them. */
export const chartsHeight = 'min-h-[28.75rem]';

/** The place of the charts of usage while they load. */
export function UsageRoom() {
  return (
    <Card title="Usage">
      <div className={chartsHeight} aria-busy="true" />
    </Card>
  );
}
