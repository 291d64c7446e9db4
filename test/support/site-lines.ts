/** The header of a file of sites, with all that a site needs. */
export const siteHeader = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'

/** A line below it, of a site that the sandbox takes as long as the name is new. */
export const siteLine = (name: string, price = '500') => `201,101,${name},true,${price},10,Net10`

/** The text of a file of such sites. */
export const siteFile = (...names: string[]) => `${[siteHeader, ...names.map((name) => siteLine(name))].join('\n')}\n`
