/** What the product is, beside the form of a signed-out person: its promises, and one bill explained as an example. */
export function FrontPicture() {
  return (
    <aside className="front-picture" aria-label="What Ledgerline is">
      <h2>Every model and agent, one prepaid balance, exact to the nano-dollar.</h2>
      <ul>
        <li>Change one base URL: the official OpenAI and ElevenLabs clients work as they are.</li>
        <li>Each call has a hold before it and a line in the ledger after it. Keys have limits that hold.</li>
        <li>Agents run as durable workflows, stream their events, and never pass their cap.</li>
      </ul>
      <figure className="front-bill">
        <figcaption>One call, explained</figcaption>
        <dl>
          {BILL.map(([name, quantity, amount]) => (
            <div key={name}>
              <dt>
                {name} <span>{quantity}</span>
              </dt>
              <dd>{amount}</dd>
            </div>
          ))}
          <div className="front-bill-sum">
            <dt>Debited</dt>
            <dd>$0.000034800</dd>
          </div>
        </dl>
      </figure>
    </aside>
  );
}

const BILL = [
  ['Input tokens', '24 × $0.15 / 1M', '$0.000003600'],
  ['Output tokens', '52 × $0.60 / 1M', '$0.000031200'],
] as const;
