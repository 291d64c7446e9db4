import {type FieldNames, toPlainName} from './field-names.js'

/** Headers that people write in English, German, French, Spanish, Italian, Dutch and Portuguese, by fields they mean. */
const headers: readonly (readonly [fields: string, words: string])[] = [
  ['price maxChargePrice', 'preis verkaufspreis prix precio prezzo prijs preço'],
  ['maxChargePrice', 'höchstpreis maxpreis maxprice prixmax preciomáximo prezzomassimo maximumprijs'],
  ['name', 'bezeichnung nom nombre nome naam'],
  ['siteId name', 'standort filiale site location sitio sede locatie local'],
  ['machineId prose name', 'automat machine máquina macchina automaat'],
  ['count', 'bestand stock lager existencias giacenza voorraad estoque'],
  ['selectionNumber', 'fach slot sélection selección selezione vak seleção'],
  ['accountId', 'kunde konto customer client cliente klant'],
  ['isActive', 'aktiv active actif activo attivo actief ativo'],
]
const fieldsOf = new Map(
  headers.flatMap(([fields, words]) => words.split(' ').map((word) => [toPlainName(word), fields.split(' ')])),
)

/** The field that a common header means, where the record has one. */
export function findCommon(header: string, {places}: Pick<FieldNames, 'places'>): string | undefined {
  return fieldsOf.get(toPlainName(header))?.find((field) => places.some(({name}) => name === field))
}
