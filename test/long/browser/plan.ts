import type {PlanView} from '../../../src/runs/plan/plan-view.js'

const values = ['<img src=x onerror=alert(1)>', 'x'.repeat(300), 'מרכז הקניות', '🏥 Clinic\nWest', '777']

/** A plan whose values are short, long, foreign, and markup. */
export const plan: PlanView = {
  title: 'Plan: sites update, 5 records',
  facts: [['service', 'https://service.example (v2.1), profile production']],
  what: 'changes',
  headers: ['id', 'name', 'field', 'now', 'new'],
  rows: values.map((value, place) => [`${1001 + place}`, 'Northside Shopping Centre', 'maxChargePrice', '500', value]),
}
