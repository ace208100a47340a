import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { leash } from './leash.ts';

const run = promisify(execFile);
const ip = async (line: string): Promise<string> => (await run('ip', line.split(' '))).stdout;

/** A part of a machine's traffic: to or from a port of other machines. */
export interface Traffic {
  port: number;
  direction: 'sent' | 'received';
}

/** A network namespace that stands for a machine. */
export interface Machine {
  /** The prefix of a command that runs on it. */
  enter: string[];
  /** Its address for clients. */
  address: string;
  /** Drops part of its traffic without an answer, like a wrong firewall rule. */
  drop(traffic: Traffic): Promise<void>;
  /** Drops this many packets of 100, at random, in both directions. */
  lose(percentage: number): Promise<void>;
  /** Pulls the cable to the network of the data. */
  unplug(): Promise<void>;
  /** Pulls the cable to clients and upstreams. */
  unplugFront(): Promise<void>;
  /** Plugs in all cables and ends all drops. */
  heal(): Promise<void>;
}

export type Network = Awaited<ReturnType<typeof openNetwork>>;

/** Whether this user may create network namespaces and packet filters, and the machine has the programs and the kernel for it. */
export function hasNamespaces(): boolean {
  const name = `ledgerline-${process.pid}-probe`;
  const commands = [`ip netns add ${name}`, `ip netns exec ${name} nft add table inet probe`];
  try {
    for (const command of commands) quietly(command);
    return true;
  } catch {
    return false;
  } finally {
    try {
      quietly(`ip netns del ${name}`);
    } catch {
      // It was not created.
    }
  }
}

function quietly(command: string): void {
  const [program, ...args] = command.split(' ') as [string, ...string[]];
  execFileSync(program, args, { stdio: 'ignore' });
}

/**
 * Three machines as network namespaces: `data`, and `one` and `two`, which reach it over a bridge. Each of the two also has a cable to this
 * process, for its clients and upstreams. All of it ends with this process, even by SIGKILL.
 */
export async function openNetwork() {
  const id = `${process.pid}-${Math.floor(Math.random() * 1e6)}`;
  const [data, one, two] = ['data', 'one', 'two'].map((name) => `ledgerline-${id}-${name}`) as [string, string, string];
  const cables = ['d', '1', '2'].map((end) => `ll${Math.floor(Math.random() * 1e8).toString(36)}${end}`);
  const letGo = leash([
    ...cables.map((cable) => `ip link del ${cable}`),
    ...[data, one, two].map((name) => `ip netns del ${name}`),
  ]);
  const subnet = await freeSubnet();
  const at = (host: number) => `${subnet}.${host}`;
  for (const name of [data, one, two]) {
    await ip(`netns add ${name}`);
    await ip(`-n ${name} link set lo up`);
  }
  await ip(`-n ${data} link add bridge type bridge`);
  await ip(`-n ${data} addr add ${at(1)}/25 dev bridge`);
  await ip(`-n ${data} link set bridge up`);
  await plug({ from: data, port: 'clients', end: cables[0]!, address: `${at(126)}/25` });
  await join({ bridged: data, port: 'one', to: one, address: `${at(2)}/25` });
  await join({ bridged: data, port: 'two', to: two, address: `${at(3)}/25` });
  const machines = [
    await openMachine({ name: one, data, port: 'one', cable: cables[1]!, hostAddress: at(129), address: at(130) }),
    await openMachine({ name: two, data, port: 'two', cable: cables[2]!, hostAddress: at(133), address: at(134) }),
  ] as [Machine, Machine];
  return {
    machines,
    data: { enter: enter(data), address: at(1) },
    /** The address of this process for both machines. */
    hostAddress: at(129),
    close: letGo,
  };
}

const enter = (name: string): string[] => ['nsenter', `--net=/run/netns/${name}`];

/** A subnet that this machine has no route to yet. */
async function freeSubnet(): Promise<string> {
  const byte = () => 1 + Math.floor(Math.random() * 250);
  const subnet = `10.${byte()}.${byte()}`;
  return (await ip(`route show root ${subnet}.0/24`)) === '' ? subnet : freeSubnet();
}

/** A cable from this process's namespace to a bridge. */
async function plug({ from, port, end, address }: { from: string; port: string; end: string; address: string }) {
  await ip(`link add ${end} type veth peer name ${port} netns ${from}`);
  await ip(`-n ${from} link set ${port} master bridge up`);
  await ip(`addr add ${address} dev ${end}`);
  await ip(`link set ${end} up`);
}

/** A cable from a bridge to a machine. */
async function join({ bridged, port, to, address }: { bridged: string; port: string; to: string; address: string }) {
  await ip(`-n ${bridged} link add ${port} type veth peer name back netns ${to}`);
  await ip(`-n ${bridged} link set ${port} master bridge up`);
  await ip(`-n ${to} addr add ${address} dev back`);
  await ip(`-n ${to} link set back up`);
}

interface MachineOptions {
  name: string;
  /** The namespace with the bridge, and the bridge's port of this machine. */
  data: string;
  port: string;
  /** The other end of its cable to this process. */
  cable: string;
  hostAddress: string;
  address: string;
}

async function openMachine({ name, data, port, cable, hostAddress, address }: MachineOptions): Promise<Machine> {
  await ip(`link add ${cable} type veth peer name front netns ${name}`);
  await ip(`addr add ${hostAddress}/30 dev ${cable}`);
  await ip(`link set ${cable} up`);
  await ip(`-n ${name} addr add ${address}/30 dev front`);
  await ip(`-n ${name} link set front up`);
  await ip(`-n ${name} route add default via ${hostAddress}`);
  const filter = (...lines: string[]) => run('ip', ['netns', 'exec', name, 'nft', lines.join('; ')]);
  await filter(
    'add table inet faults',
    'add chain inet faults sent { type filter hook output priority 0; }',
    'add chain inet faults received { type filter hook input priority 0; }',
  );
  return {
    enter: enter(name),
    address,
    drop: async ({ port: otherPort, direction }) => {
      const end = direction === 'sent' ? 'dport' : 'sport';
      await filter(`add rule inet faults ${direction} tcp ${end} ${otherPort} drop`);
    },
    lose: async (percentage) => {
      const lost = `meta l4proto tcp numgen random mod 100 < ${percentage} drop`;
      await filter(`add rule inet faults sent ${lost}`, `add rule inet faults received ${lost}`);
    },
    unplug: async () => void (await ip(`-n ${data} link set ${port} down`)),
    unplugFront: async () => void (await ip(`link set ${cable} down`)),
    heal: async () => {
      await filter('flush table inet faults');
      await ip(`-n ${data} link set ${port} up`);
      await ip(`link set ${cable} up`);
    },
  };
}
