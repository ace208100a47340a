/** The draft of an agent, as its publisher writes it. */
export interface AgentDraft {
  slug: string;
  name: string;
  description: string;
  instructions: string;
  tools: string[];
  question_forms?: boolean;
  requires_approval?: string[];
  categories: string[];
  example_prompts: string[];
  /** US dollars for a million output tokens; input costs a sixth. */
  usdPerMillion: number;
  maximumUsd?: number;
  hue: number;
}

/** The body that creates it. */
export const bodyOf = ({ usdPerMillion, maximumUsd = 1, hue: _hue, ...draft }: AgentDraft) => ({
  ...draft,
  pricing: {
    minimum_cost_usd: 0.01,
    maximum_cost_usd: maximumUsd,
    rates: [
      { meter: 'model_input_tokens', price_usd: Number((usdPerMillion / 6e6).toFixed(12)) },
      { meter: 'model_output_tokens', price_usd: Number((usdPerMillion / 1e6).toFixed(12)) },
      { meter: 'tool_calls', price_usd: 0.002 },
    ],
  },
});

const FILES = ['list_files', 'read_file', 'search_files', 'write_file'];
const TABLES = ['list_files', 'read_file', 'run_code', 'write_table', 'draw_chart'];

/** The agents of other publishers in the catalogue, by namespace. */
export const CATALOGUE: Record<string, { provider: string; agents: AgentDraft[] }> = {
  harbor: {
    provider: 'Harbor Legal Labs',
    agents: [
      {
        slug: 'contract-reader',
        name: 'Contract reader',
        description: 'Reads a contract and lists notice periods, liabilities and unusual clauses, each with its page.',
        instructions: 'You read contracts. Quote the clause and name its page. Say when something is not regulated.',
        tools: FILES,
        categories: ['legal', 'documents'],
        example_prompts: ['List all notice periods in the attached supply contract.'],
        usdPerMillion: 30,
        hue: 210,
      },
      {
        slug: 'invoice-extractor',
        name: 'Invoice extractor',
        description:
          'Turns invoices (PDF or scan) into a table: supplier, number, date, net, tax, total and bank details.',
        instructions: 'You extract the fields of invoices into a table. Never guess an amount.',
        tools: TABLES,
        categories: ['finance', 'documents'],
        example_prompts: ['Extract these three invoices into one workbook.'],
        usdPerMillion: 18,
        hue: 150,
      },
      {
        slug: 'meeting-minutes',
        name: 'Meeting minutes',
        description: 'Writes minutes from a transcript: decisions first, then open points with owners and dates.',
        instructions: 'You write minutes. Decisions come first, then open points with an owner and a date.',
        tools: ['read_file', 'write_file'],
        categories: ['writing', 'office'],
        example_prompts: ['Write the minutes of this transcript.'],
        usdPerMillion: 9,
        hue: 32,
      },
    ],
  },
  kestrel: {
    provider: 'Kestrel Analytics',
    agents: [
      {
        slug: 'sales-forecast',
        name: 'Sales forecast',
        description: 'Forecasts the next twelve weeks from a CSV of past sales, with a range and a chart.',
        instructions:
          'You forecast from past figures. Compute with run_code. Always give a range and say how sure you are.',
        tools: TABLES,
        categories: ['data', 'finance'],
        example_prompts: ['Forecast the next twelve weeks of sales.csv.'],
        usdPerMillion: 25,
        hue: 265,
      },
      {
        slug: 'survey-coder',
        name: 'Survey coder',
        description: 'Groups open answers of a survey into themes and counts them, with two quotes for each theme.',
        instructions: 'You code open answers into at most twelve themes. Count them with run_code.',
        tools: TABLES,
        categories: ['data', 'research'],
        example_prompts: ['Group the answers in column C into themes.'],
        usdPerMillion: 14,
        hue: 300,
      },
      {
        slug: 'sql-reviewer',
        name: 'SQL reviewer',
        description: 'Reviews a migration or a query: locks, missing indexes, wrong joins; suggests a safer statement.',
        instructions: 'You review SQL for PostgreSQL. Name the lock that each statement takes.',
        tools: ['read_file', 'write_file'],
        categories: ['code', 'data'],
        example_prompts: ['Is this migration safe on a table with 40 million rows?'],
        usdPerMillion: 22,
        hue: 190,
      },
    ],
  },
  paperwing: {
    provider: 'Paperwing Studio',
    agents: [
      {
        slug: 'release-notes',
        name: 'Release notes',
        description: 'Turns a list of merged changes into release notes for customers, in three lengths.',
        instructions: 'You write release notes for customers. No internal names. Three lengths: tweet, mail, page.',
        tools: ['read_file', 'write_file'],
        categories: ['writing', 'code'],
        example_prompts: ['Write release notes of these 40 commits.'],
        usdPerMillion: 8,
        hue: 12,
      },
      {
        slug: 'support-triage',
        name: 'Support triage',
        description: 'Sorts a support mail: product, severity, language, what is missing, and a first answer.',
        instructions: 'You triage support mails. Ask for the serial number when it is missing.',
        tools: ['ask_user', 'search_files', 'write_file'],
        question_forms: true,
        requires_approval: ['write_file'],
        categories: ['support'],
        example_prompts: ['The arm stops in the middle of a cycle and shows E-417.'],
        usdPerMillion: 6,
        hue: 340,
      },
      {
        slug: 'technical-translator',
        name: 'Technical translator',
        description: 'Translates manuals between English, German and Swedish; keeps terms, tables and numbering.',
        instructions: 'You translate technical manuals. Keep numbering, units and part names.',
        tools: FILES,
        categories: ['writing', 'documents'],
        example_prompts: ['Translate chapter 4 to German.'],
        usdPerMillion: 11,
        hue: 95,
      },
    ],
  },
};

/** The agents of Northwind Robotics, by what becomes of them. */
export const OWN_AGENTS: Record<'live' | 'waiting' | 'changes' | 'rejected' | 'draft', AgentDraft> = {
  live: {
    slug: 'quality-inspector',
    name: 'Quality inspector',
    description:
      'Compares measured values of a batch with the drawing, marks what is out of tolerance and writes the report.',
    instructions: 'You inspect measurements. Compute with run_code, never estimate. Name the drawing and its revision.',
    tools: TABLES,
    categories: ['manufacturing', 'data'],
    example_prompts: ['Check the measurements of batch 2231 against drawing NR-118 rev C.'],
    usdPerMillion: 40,
    maximumUsd: 2,
    hue: 170,
  },
  waiting: {
    slug: 'torque-report',
    name: 'Torque report',
    description: 'Reads torque curves of a screwdriving station and explains which joints to check by hand.',
    instructions: 'You read torque curves. List joints that left their window, the worst first.',
    tools: TABLES,
    categories: ['manufacturing'],
    example_prompts: ['Which joints of station 7 left their window today?'],
    usdPerMillion: 35,
    hue: 225,
  },
  changes: {
    slug: 'shift-handover',
    name: 'Shift handover',
    description: 'Writes the handover note of a shift from the machine log and the open orders.',
    instructions: 'You write handover notes: what ran, what stopped, what the next shift has to do.',
    tools: ['read_file', 'write_file'],
    categories: ['manufacturing', 'writing'],
    example_prompts: ['Write the handover of the late shift.'],
    usdPerMillion: 12,
    hue: 48,
  },
  rejected: {
    slug: 'supplier-scout',
    name: 'Supplier scout',
    description: 'Finds suppliers for a part and ranks them by price and distance.',
    instructions: 'You find suppliers. Rank them.',
    tools: ['search_files'],
    categories: ['purchasing'],
    example_prompts: ['Who makes M3 inserts in Sweden?'],
    usdPerMillion: 50,
    hue: 280,
  },
  draft: {
    slug: 'spare-parts-finder',
    name: 'Spare parts finder',
    description: 'Names the spare part from a photo or a description, with its number and its delivery time.',
    instructions: 'You identify spare parts of our arms and grippers.',
    tools: ['search_files', 'read_file', 'write_file', 'ask_user'],
    question_forms: true,
    requires_approval: ['write_file'],
    categories: ['support', 'manufacturing'],
    example_prompts: ['The cable carrier of axis 3 has broken links.'],
    usdPerMillion: 10,
    hue: 130,
  },
};

/** Submissions of others that wait for an operator. */
export const WAITING: Record<string, AgentDraft> = {
  harbor: {
    slug: 'tender-summary',
    name: 'Tender summary',
    description: 'Sums up a public tender: deadline, lots, proofs to hand in, and what rules a bidder out.',
    instructions: 'You sum up public tenders. The deadline comes first.',
    tools: FILES,
    categories: ['legal'],
    example_prompts: ['Sum up the attached tender.'],
    usdPerMillion: 20,
    hue: 60,
  },
  kestrel: {
    slug: 'anomaly-watch',
    name: 'Anomaly watch',
    description: 'Looks through a time series for jumps, drifts and gaps, and explains each in one sentence.',
    instructions: 'You look for anomalies in time series. Compute with run_code.',
    tools: TABLES,
    categories: ['data'],
    example_prompts: ['What is odd in spindle-temperature.csv?'],
    usdPerMillion: 16,
    hue: 5,
  },
};
