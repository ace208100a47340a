import type { Guide } from './html.ts';

/** Files as input and output of agents: what is read how, and what agents can write. */
export const filesGuide: Guide = {
  id: 'files-and-sessions',
  title: 'Give files to agents',
  parts: [
    'Upload a file with the purpose `agent_input` and name it in the input of a run. A session keeps conversation and files from one run to the next.',
    {
      code: `printf 'item,amount\\nTea,1.10\\nCoffee,2.20\\n' > sales.csv
FILE=$(curl -sS "$BASE_URL/v1/files" -H "Authorization: Bearer $API_KEY" -F purpose=agent_input -F file=@sales.csv \\
  | grep -o 'file_[0-9A-Za-z]*' | head -1)
curl -sS "$BASE_URL/v1/runs" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" -H "Prefer: wait=30" \\
  -d '{"agent": "ledgerline/analyst", "input": [{"type": "input_text", "text": "What is the total amount?"},
       {"type": "input_file", "file_id": "'$FILE'"}]}'`,
    },
    'An agent accepts the types in `input.accepted_media_types` of `GET /v1/agents/{agent}`. The type of a file is found by its first bytes and its name. The binary documents of Office before 2007 (XLS, DOC, PPT), and newer ones that are locked with a password, are refused as 415 `unsupported_media_type` with the format to convert them to. An agent’s `read_file` gives its model a text, in parts where it is long, and `search_files` finds lines in the same text:',
    {
      head: ['File', 'As the model reads it'],
      rows: [
        [
          'XLSX',
          'each sheet under its name as a table; dates and times in the form of ISO 8601, numbers unformatted, of formulas the stored value',
        ],
        [
          'DOCX',
          'headings, paragraphs, lists, tables, links, footnotes; removed text is left out; one of pictures alone says so',
        ],
        ['PPTX', 'slides by number with titles, lists, tables and notes; a slide that is a picture says so'],
        ['HTML', 'title, headings, lists, tables and links; with `source: true` the markup'],
        ['PDF', 'the text of at most 500 pages, by number; a page that is a picture, as of a scan, says so'],
        [
          'PNG, JPEG, WebP, GIF',
          'the picture, of at most 5 MiB, where the agent’s model sees; otherwise an error that says so',
        ],
        ['CSV, JSON, Markdown and other text', 'as it is'],
      ],
    },
    'A program in `run_code` finds all files under their paths. Of a workbook `a.xlsx` it can read `a.xlsx.json`, a list of sheets `{name, rows}` with numbers, texts, truth values and nulls; of another document `a.docx` its text in `a.docx.txt`. JavaScript is always there. Python is, with its standard library, where the sandbox has gVisor or bubblewrap: the tool’s schema says so to the model.',
    'Documents are read by a process of their own, without access to files, in at most 15 seconds of 192 MiB heap: at most 64 MiB inflated for one part of an archive and 192 MiB for all, 10,000 parts, 5,000,000 elements in one, 1,000 attributes of an element, 1,000 sheets, 5,000 slides, 2,000,000 characters of text, and as data 200,000 cells and 8,000,000 characters. What a document refers to outside of itself is not fetched. A document that is damaged, locked, nested too deeply or too large is an error of the tool, which the model reads; the run goes on.',
    'Agents write files with `write_file` (text), `write_table` (XLSX with typed cells, or CSV) and `draw_chart` (bars, lines, areas, dots and pies as PNG or SVG), and by programs. A table and a chart may take their rows from a CSV or XLSX file of the session by its path, sheet and columns (`from`), so that the model need not repeat them: at most 200,000 cells, 2,000 rows for a chart. Each is in the run’s `output` as `output_file`, with a `run.output_file.created` event, and in the files of its session: `GET /v1/sessions/{session_id}/files`. `GET /v1/files/{file_id}/content` has the bytes, always as an attachment that no browser runs.',
  ],
};
