import { type AdminCommand, tableOf } from './command.ts';

export const connectionsCommand: AdminCommand = {
  words: 'connections',
  summary: "Shows the database's connections: what the server allows, what is open, what live processes may open.",
  async run({ db }) {
    const use = await db.connections.read();
    const { max, reserved, allowed, used, logins, processes, claimed } = use;
    const rows = [
      ['CONNECTIONS', 'COUNT'],
      ['max_connections of the server', max],
      ['reserved for superusers', reserved],
      ['allowed to the application', allowed],
      ['open now', used],
      ...Object.entries(logins).map(([login, count]) => [`  of ${login}`, count]),
      [`that ${processes} live processes may open`, claimed],
    ].map((row) => row.map(String));
    const verdict =
      claimed > allowed
        ? `Too many: raise max_connections to ${claimed + max - allowed} or more, or open fewer (docs/operate/connections.md).`
        : `They fit: ${allowed - claimed} are left for migrations, this command, backups and people.`;
    return { text: `${tableOf(rows)}\n\n${verdict}`, json: { ...use, fits: claimed <= allowed } };
  },
};
