import type { CapacityLine, DashboardNode } from '../../../contract/dashboard.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { UsageBar, usageTone, figureLook } from '../../kit/UsageBar.tsx';
import { Card, CardCell, CardTable, cardRow } from '../../kit/Card.tsx';
import { capacityText } from './model.ts';

interface NodesCardProps {
  readonly clusterId: number;
  readonly nodes: readonly DashboardNode[];
}

/** The nodes, worst first, with what is used of them. */
export function NodesCard({ clusterId, nodes }: NodesCardProps) {
  const bad = nodes.filter(({ status: [, tone] }) => tone === 'bad').length;
  return (
    <Card
      title="Nodes"
      beside={
        <span className="font-normal text-text-2">
          {nodes.length - bad} ready{bad > 0 && `, ${bad} not`}
        </span>
      }
    >
      <CardTable
        room="tight"
        columns={[
          { label: 'Name' },
          { label: 'Status' },
          { label: 'CPU' },
          { label: 'Memory' },
          { label: 'Pods', isNumber: true },
        ]}
      >
        {nodes.map((node) => (
          <tr key={node.name} className={cardRow}>
            <CardCell room="tight" className="font-medium">
              <ObjectLink isPlain to={{ cluster: String(clusterId), kind: 'node', name: node.name }}>
                {node.name}
              </ObjectLink>
            </CardCell>
            <CardCell room="tight">
              <StatusText label={node.status[0]} tone={node.status[1]} />
            </CardCell>
            <CardCell room="tight">
              <Share line={node.cpu} unit="cores" name="CPU" />
            </CardCell>
            <CardCell room="tight">
              <Share line={node.memory} unit="bytes" name="Memory" />
            </CardCell>
            <CardCell room="tight" isNumber>
              {node.pods.requested ?? '–'}
              <span className="text-text-2">/{node.pods.allocatable}</span>
            </CardCell>
          </tr>
        ))}
      </CardTable>
    </Card>
  );
}

interface ShareProps {
  readonly line: CapacityLine;
  readonly unit: 'cores' | 'bytes';
  readonly name: string;
}

function Share({ line, unit, name }: ShareProps) {
  const text = capacityText(line, unit);
  if (text.share === undefined) return <span className="text-text-3">–</span>;
  const tone = usageTone(text.share);
  return (
    <span
      className="grid grid-cols-[minmax(1.25rem,1fr)_2.125rem] items-center gap-1.5 text-right @max-[23.5rem]:grid-cols-1"
      title={text.amount}
    >
      <UsageBar
        share={text.share}
        mark={text.mark}
        className="@max-[23.5rem]:hidden"
        label={`${name} ${text.percent}`}
      />
      <span className={figureLook[tone]}>{text.percent}</span>
    </span>
  );
}
