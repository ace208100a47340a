/** Return values of a filter, from the kernel's <linux/seccomp.h>; the second has EPERM in its low bits. */
const ALLOW = 0x7fff_0000;
const REFUSE = 0x0005_0000 | 1;
const KILL = 0x8000_0000;

/** Instructions of the classic Berkeley packet filter, from <linux/bpf_common.h>. */
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;

/** Offsets of the system-call number and of the architecture. */
const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
/** System calls of the x32 interface have numbers from here on, only on x86-64; no program here needs them. */
const X32_START = 0x4000_0000;

const COLUMNS = { x64: { audit: 0xc000_003e, at: 0 }, arm64: { audit: 0xc000_00b7, at: 1 } } as const;

/**
 * The refused system calls, by their numbers on x86-64 and on arm64: no program needs them, and each leads deep into the kernel or out of
 * the jail. Pairs of connected sockets stay allowed: Node uses them to talk to its children.
 */
const REFUSED: Record<string, [number | null, number | null]> = {
  socket: [41, 198],
  ptrace: [101, 117],
  syslog: [103, 116],
  personality: [135, 92],
  vhangup: [153, 58],
  pivot_root: [155, 41],
  adjtimex: [159, 171],
  chroot: [161, 51],
  acct: [163, 89],
  settimeofday: [164, 170],
  mount: [165, 40],
  umount2: [166, 39],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  iopl: [172, null],
  ioperm: [173, null],
  init_module: [175, 105],
  delete_module: [176, 106],
  quotactl: [179, 60],
  clock_settime: [227, 112],
  kexec_load: [246, 104],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  migrate_pages: [256, 238],
  unshare: [272, 97],
  move_pages: [279, 239],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  clock_adjtime: [305, 266],
  setns: [308, 268],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  finit_module: [313, 273],
  kexec_file_load: [320, 294],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  pidfd_getfd: [438, 438],
  mount_setattr: [442, 442],
};

/** The filter in the kernel's binary form. Null on an architecture without a list of numbers here. */
export function seccompFilter(architecture: string): Buffer | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null;
  const { audit, at } = COLUMNS[architecture];
  const numbers = Object.values(REFUSED).flatMap((row) => row[at] ?? []);
  return Buffer.concat([
    instruction(LOAD_WORD, ARCHITECTURE_OFFSET),
    instruction(JUMP_IF_EQUAL, audit, { ifTrue: 1 }),
    instruction(RETURN, KILL),
    instruction(LOAD_WORD, NUMBER_OFFSET),
    instruction(JUMP_IF_AT_LEAST, X32_START, { ifTrue: numbers.length + 1 }),
    ...numbers.map((number, index) => instruction(JUMP_IF_EQUAL, number, { ifTrue: numbers.length - index })),
    instruction(RETURN, ALLOW),
    instruction(RETURN, REFUSE),
  ]);
}

function instruction(code: number, value: number, { ifTrue = 0 }: { ifTrue?: number } = {}): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
