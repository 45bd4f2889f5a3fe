import type { CapacityLine, DashboardNode } from '../../../contract/dashboard.ts';
import { ObjectLink } from '../../resource/detail/ObjectLink.tsx';
import { StatusText } from '../../ui/marks.tsx';
import { UsageBar, usageTone } from '../../ui/UsageBar.tsx';
import { Card, CardTable } from './Card.tsx';
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
        <span className="sec thin">
          {nodes.length - bad} ready{bad > 0 && `, ${bad} not`}
        </span>
      }
    >
      <CardTable
        className="nodes"
        columns={[
          { label: 'Name' },
          { label: 'Status' },
          { label: 'CPU' },
          { label: 'Memory' },
          { label: 'Pods', isNumber: true },
        ]}
      >
        {nodes.map((node) => (
          <tr key={node.name}>
            <td className="node-name">
              <ObjectLink to={{ cluster: String(clusterId), kind: 'node', name: node.name }}>
                {node.name}
              </ObjectLink>
            </td>
            <td>
              <StatusText label={node.status[0]} tone={node.status[1]} />
            </td>
            <td>
              <Share line={node.cpu} unit="cores" name="CPU" />
            </td>
            <td>
              <Share line={node.memory} unit="bytes" name="Memory" />
            </td>
            <td className="num">
              {node.pods.requested ?? '–'}
              <span className="sec">/{node.pods.allocatable}</span>
            </td>
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
  if (text.share === undefined) return <span className="dim">–</span>;
  const tone = usageTone(text.share);
  return (
    <span className="use" title={text.amount}>
      <UsageBar share={text.share} mark={text.mark} label={`${name} ${text.percent}`} />
      <span className={tone === 'bad' ? 'crit' : tone === 'warn' ? 'hot' : ''}>{text.percent}</span>
    </span>
  );
}
