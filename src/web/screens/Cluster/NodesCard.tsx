import type { CapacityLine, DashboardNode } from '../../../contract/dashboard.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { UsageBar, usageTone, figureLook } from '../../kit/UsageBar.tsx';
import { Card, CardCell, CardTable, cardRow } from '../../kit/Card.tsx';
import { isMeasured, nodeShare } from './model.ts';

interface NodesCardProps {
  readonly clusterId: number;
  readonly nodes: readonly DashboardNode[];
}

/** The nodes, worst first, with what is used of them; with what is requested where no usage is known. */
export function NodesCard({ clusterId, nodes }: NodesCardProps) {
  const bad = nodes.filter(({ status: [, tone] }) => tone === 'bad').length;
  const isOfUsage = isMeasured(nodes);
  return (
    <Card
      title="Nodes"
      beside={
        <span className="font-normal text-text-2">
          {nodes.length - bad} ready{bad > 0 && `, ${bad} not`}
          {!isOfUsage && nodes.length > 0 && ' · CPU and memory as requested'}
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
              <Share line={node.cpu} unit="cores" name="CPU" isOfUsage={isOfUsage} />
            </CardCell>
            <CardCell room="tight">
              <Share line={node.memory} unit="bytes" name="Memory" isOfUsage={isOfUsage} />
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
  readonly isOfUsage: boolean;
}

function Share({ line, unit, ...meant }: ShareProps) {
  const found = nodeShare(line, unit, meant);
  if (found === undefined) return <span className="text-text-3">–</span>;
  const { share, mark, figure, label, amount } = found;
  return (
    <span
      className="grid grid-cols-[minmax(1.25rem,1fr)_2.125rem] items-center gap-1.5 text-right @max-[23.5rem]:grid-cols-1"
      title={amount}
    >
      <UsageBar share={share} mark={mark} className="@max-[23.5rem]:hidden" label={label} />
      <span className={share === undefined ? 'text-text-3' : figureLook[usageTone(share)]}>{figure}</span>
    </span>
  );
}
