import type {TextPage} from '../../../src/formats/write/html/text-page.js'

const values = ['<img src=x onerror=alert(1)>', 'x'.repeat(100), 'מרכז הקניות', '🏥 Clinic\nWest \u202e', '777']
const columns = ['', 'where', 'id', 'name', 'field', 'before', 'after'].map((name) => ({name}))
const rows = values.map((value) => ['~', 'account 201', '1001', value, 'maxChargePrice', '500', value])

/** The page of a run whose values are short, long, foreign, and markup. */
export const run: TextPage = {
  title: 'sites update: 5 of 8 rows applied',
  facts: [['by', 'ana on till-1'], ...values.map((value) => ['from', value] as const)],
  tiles: ['Rows', 'Applied', 'Refused'].map((name, place) => ({name, value: '1,234,567', isMain: place === 0})),
  sections: [
    {title: 'What to do next', texts: ['Send what is left'], command: 'vendorctl runs resume 1c84f', isAlarm: true},
    {title: 'What it changed', tables: [{caption: '5 changes', what: 'changes', columns, rows, left: 3, all: 'x'}]},
  ],
  footer: ['vendorctl'],
}
