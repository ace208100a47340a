import { Option } from 'commander';
import { makeSignInPath, setOperator } from '../../db/accounts/signInLinks.ts';
import { type AdminCommand, byCommand } from './command.ts';

const noSuchPerson = (email: string, consoleUrl: string) =>
  new Error(`No person has the address ${email}. They sign up first: ${new URL('/sign-up', consoleUrl).href}`);

export const signInLinkCommand: AdminCommand = {
  words: 'sign-in-link',
  summary: 'Prints a link that signs a person in to the console, once and within a day.',
  arguments: '<email>',
  async run({ db, config }, _values, [email]) {
    const path = await makeSignInPath(db.everywhere, email!, byCommand());
    if (path === undefined) throw noSuchPerson(email!, config.publicUrl);
    const url = new URL(path, config.publicUrl).href;
    return { text: url, json: { email, url } };
  },
};

export const operatorCommand: AdminCommand<{ withdraw?: true }> = {
  words: 'operator',
  summary: 'Makes a person an operator of the platform, from their next request on.',
  arguments: '<email>',
  options: [new Option('--withdraw', 'the person is no operator any more')],
  async run({ db, config }, { withdraw = false }, [email]) {
    const order = { isOperator: !withdraw, by: byCommand() };
    if (!(await setOperator(db.everywhere, email!, order))) throw noSuchPerson(email!, config.publicUrl);
    const text = `${email} is ${withdraw ? 'no longer ' : ''}an operator of the platform.`;
    return { text, json: { email, is_operator: !withdraw } };
  },
};
