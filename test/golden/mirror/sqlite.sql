CREATE TABLE IF NOT EXISTS vendorctl_mirror ( -- What vendorctl knows of this mirror. Do not change it.
  name TEXT NOT NULL, -- What is known, such as schema: the version of these tables.
  value TEXT, -- Its value.
  PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS time_zones ( -- The time zones that sites and organizations name.
  name TEXT NOT NULL, -- Time zone as records name it, such as Pacific Standard Time.
  iana TEXT, -- The same zone as databases name it, such as America/Los_Angeles; null for an unknown one.
  PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS organizations ( -- What vendorctl organizations list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the organization. Field id.
  name TEXT, -- Name of the organization. Field name.
  time_zone TEXT, -- Default time zone, as a Windows or IANA name. Field timeZone.
  is_enabled INTEGER, -- Whether the organization is in use. Field isEnabled.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id)
) STRICT;

CREATE TABLE IF NOT EXISTS accounts ( -- What vendorctl accounts list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the account. Field id.
  organization_id INTEGER, -- Organization the account belongs to. An id of organizations, where a row may be missing. Field organizationId.
  name TEXT, -- Name of the account. Field name.
  external_id TEXT, -- Id of the account in your own books. Field externalId.
  is_enabled INTEGER, -- Whether the account is in use. Field isEnabled.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (organization_id) REFERENCES organizations (id)
) STRICT;

CREATE TABLE IF NOT EXISTS sites ( -- What vendorctl sites list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the site. Field id.
  account_id INTEGER, -- Account the site belongs to. An id of accounts, where a row may be missing. Field accountId.
  org_id INTEGER, -- Organization the site belongs to. An id of organizations, where a row may be missing. Field orgId.
  name TEXT, -- Name, unique in its account. Field name.
  contact_first_name TEXT, -- Whom to call about the site: First name of the contact. Field contact.firstName.
  contact_last_name TEXT, -- Whom to call about the site: Last name of the contact. Field contact.lastName.
  contact_telephone_number TEXT, -- Whom to call about the site: Telephone number of the contact. Field contact.telephoneNumber.
  contact_email_address TEXT, -- Whom to call about the site: E-mail address of the contact. Field contact.emailAddress.
  commission_percentage INTEGER, -- Commission in percent. Field commissionPercentage.
  is_active INTEGER, -- Whether the site is active. Field isActive.
  time_zone TEXT, -- Time zone, as a Windows name such as Pacific Standard Time, or an IANA name. Field timeZone.
  is_enabled INTEGER, -- Whether the site is in use; set by the service. Field isEnabled.
  max_charge_price INTEGER, -- Highest price of one charge. Field maxChargePrice.
  billing_address TEXT, -- Billing address. Field billingAddress.
  shipping_address TEXT, -- Shipping address. Field shippingAddress.
  maximum_meter_sales_jump_allowed INTEGER, -- Largest jump of the sales meter that is believed. Field maximumMeterSalesJumpAllowed.
  commission_terms TEXT, -- When commission is due. Field commissionTerms.
  external_account_terminal_id TEXT, -- Terminal id in an external account. Field externalAccountTerminalId.
  charge_key_id INTEGER, -- Charge key of the organization; a global one is refused. Field chargeKeyId.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (org_id) REFERENCES organizations (id)
) STRICT;

CREATE TABLE IF NOT EXISTS machines ( -- What vendorctl machines list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the machine. Field id.
  asset_id INTEGER, -- Asset the machine is booked as. Field assetId.
  organization_id INTEGER, -- Organization the machine belongs to. An id of organizations, where a row may be missing. Field organizationId.
  site_id INTEGER, -- Site the machine stands at; another one moves it. An id of sites, where a row may be missing. Field siteId.
  type_id INTEGER, -- Type of machine. Field typeId.
  machine_master_id INTEGER, -- Model template of the machine. Field machineMasterId.
  controller_firmware_current TEXT, -- Firmware of the controller: Version that runs. Field controllerFirmware.current.
  controller_firmware_pending_update TEXT, -- Firmware of the controller: Version that waits to be installed. Field controllerFirmware.pendingUpdate.
  pc_firmware_current TEXT, -- Firmware of the PC: Version that runs. Field pcFirmware.current.
  pc_firmware_pending_update TEXT, -- Firmware of the PC: Version that waits to be installed. Field pcFirmware.pendingUpdate.
  force_update INTEGER, -- Whether an update is forced. Field forceUpdate.
  prose TEXT, -- PROSE serial of the machine. Field prose.
  name TEXT, -- Name of the machine. Field name.
  model_number TEXT, -- Model number. Field modelNumber.
  tax_percentage ANY, -- Tax in percent. A number, or text where that has more digits than a double. Field taxPercentage.
  commission_percentage ANY, -- Commission in percent. A number, or text where that has more digits than a double. Field commissionPercentage.
  has_planogram_change INTEGER, -- Whether a planogram change waits. Field hasPlanogramChange.
  call_in_code TEXT, -- Code the machine calls in with. Field callInCode.
  enable_account_sales INTEGER, -- Whether account sales are on. Field enableAccountSales.
  enable_cash_sales INTEGER, -- Whether cash sales are on. Field enableCashSales.
  enable_credit_sales INTEGER, -- Whether credit sales are on. Field enableCreditSales.
  mode TEXT, -- Mode the machine runs in. Field mode.
  is_visible INTEGER, -- Whether the machine is shown. Field isVisible.
  created_at TEXT, -- When the machine was created. UTC. Field createdAt.
  provisioned_at TEXT, -- When the machine was provisioned. UTC. Field provisionedAt.
  last_heart_beat_server TEXT, -- Last sign of life: In server time. UTC. Field lastHeartBeat.server.
  last_heart_beat_local TEXT, -- Last sign of life: In the local time of the machine. The time zone is that of the machine's site, else of its organization. Field lastHeartBeat.local.
  last_cash_sale_server TEXT, -- Last cash sale: In server time. UTC. Field lastCashSale.server.
  last_cash_sale_local TEXT, -- Last cash sale: In the local time of the machine. The time zone is that of the machine's site, else of its organization. Field lastCashSale.local.
  last_credit_sale_server TEXT, -- Last credit sale: In server time. UTC. Field lastCreditSale.server.
  last_credit_sale_local TEXT, -- Last credit sale: In the local time of the machine. The time zone is that of the machine's site, else of its organization. Field lastCreditSale.local.
  last_account_sale_server TEXT, -- Last account sale: In server time. UTC. Field lastAccountSale.server.
  last_account_sale_local TEXT, -- Last account sale: In the local time of the machine. The time zone is that of the machine's site, else of its organization. Field lastAccountSale.local.
  latest_restock_to_picklist_server TEXT, -- Latest restock to picklist: In server time. UTC. Field latestRestockToPicklist.server.
  latest_restock_to_picklist_local TEXT, -- Latest restock to picklist: In the local time of the machine. The time zone is that of the machine's site, else of its organization. Field latestRestockToPicklist.local.
  credit_processing_fee ANY, -- Fee for a card payment. A number, or text where that has more digits than a double. Field creditProcessingFee.
  bluetooth_id TEXT, -- Bluetooth id of the machine. Field bluetoothId.
  external_accounts_terminal_id TEXT, -- Terminal id in an external accounts system. Field externalAccountsTerminalId.
  can_rollback_firmware INTEGER, -- Whether firmware may be rolled back. Field canRollbackFirmware.
  ignore_door_state INTEGER, -- Whether the state of the door is ignored. Field ignoreDoorState.
  enable_slot_count_tracking INTEGER, -- Whether the count of each slot is tracked. Field enableSlotCountTracking.
  use_internet_pricing INTEGER, -- Whether prices come from the service. Field useInternetPricing.
  hardware_settings_changed INTEGER, -- Whether hardware settings changed. Field hardwareSettingsChanged.
  use_plangram_price INTEGER, -- Whether prices come from the planogram. Field usePlangramPrice.
  use_machine_tax_rate INTEGER, -- Whether the tax rate of the machine applies. Field useMachineTaxRate.
  use_machine_commission_rate INTEGER, -- Whether the commission rate of the machine applies. Field useMachineCommissionRate.
  offer_sms_receipts INTEGER, -- Whether and how receipts are offered by text message. Field offerSmsReceipts.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (organization_id) REFERENCES organizations (id),
  FOREIGN KEY (site_id) REFERENCES sites (id)
) STRICT;

CREATE TABLE IF NOT EXISTS machine_settings ( -- What vendorctl machines settings list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the record; it changes with each update. Field id.
  machine_id INTEGER, -- Machine it belongs to. An id of machines, where a row may be missing. Field machineId.
  type TEXT, -- Kind of settings. Field type.
  settings TEXT, -- The settings, as opaque text. Field settings.
  is_active INTEGER, -- Whether the settings are in force. Field isActive.
  is_current INTEGER, -- False once the record is retired. Field isCurrent.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (machine_id) REFERENCES machines (id)
) STRICT;

CREATE TABLE IF NOT EXISTS alerts ( -- What vendorctl alerts list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the alert. Field id.
  organization_id INTEGER, -- Organization; filled from the machine. An id of organizations, where a row may be missing. Field organizationId.
  account_id INTEGER, -- Account; filled from the machine. An id of accounts, where a row may be missing. Field accountId.
  site_id INTEGER, -- Site; filled from the machine. An id of sites, where a row may be missing. Field siteId.
  machine_id INTEGER, -- Machine the alert is about. An id of machines, where a row may be missing. Field machineId.
  machine_location TEXT, -- Where the machine stands. Field machineLocation.
  machine_prose TEXT, -- PROSE serial of the machine. Field machineProse.
  alert_code_id INTEGER, -- Id of the alert code. An id of alert_codes, where a row may be missing. Field alertCodeId.
  code TEXT, -- Alert code, such as NS for no sales. Field code.
  message TEXT, -- What is wrong. Field message.
  is_cleared INTEGER, -- Whether the alert is cleared; it is never uncleared. Field isCleared.
  raised_at TEXT, -- When it was raised; sent as UTC, kept as machine time. The time zone is that of the machine's site, else of its organization. Field raisedAt.
  cleared_at TEXT, -- When it was cleared; sent as UTC, kept as machine time. The time zone is that of the machine's site, else of its organization. Field clearedAt.
  raised_at_server_time TEXT, -- When it was raised, in server time. UTC. Field raisedAtServerTime.
  cleared_at_server_time TEXT, -- When it was cleared, in server time. UTC. Field clearedAtServerTime.
  alert_metadata_key TEXT, -- One further fact about the alert: Name of the fact. Field alertMetadata.key.
  alert_metadata_value TEXT, -- One further fact about the alert: The fact. Field alertMetadata.value.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (organization_id) REFERENCES organizations (id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (site_id) REFERENCES sites (id),
  FOREIGN KEY (machine_id) REFERENCES machines (id),
  FOREIGN KEY (alert_code_id) REFERENCES alert_codes (id)
) STRICT;

CREATE TABLE IF NOT EXISTS alert_codes ( -- What vendorctl alerts codes returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the alert code. Field id.
  code TEXT, -- The code, as alerts carry it. Field code.
  description TEXT, -- What the code means. Field description.
  only_one_exists INTEGER, -- Only one open alert of this code may exist on a machine. Field onlyOneExists.
  ui_clear_only INTEGER, -- People clear it in the user interface; the API may clear it too. Field uiClearOnly.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id)
) STRICT;

CREATE TABLE IF NOT EXISTS transactions ( -- What vendorctl reports transactions returns, one row for each record.
  id TEXT NOT NULL, -- Identifies the batch, such as B1467. Field id.
  recorded_at_utc TEXT, -- When the service recorded the batch, UTC. Field recordedAtUtc.
  site_id INTEGER, -- Site of the machine. An id of sites, where a row may be missing. Field siteId.
  site_external_id TEXT, -- Id of the site in your own books. Field siteExternalId.
  site_name TEXT, -- Name of the site. Field siteName.
  machine_id INTEGER, -- Machine that sold. An id of machines, where a row may be missing. Field machineId.
  machine_external_id TEXT, -- Id of the machine in your own books. Field machineExternalId.
  machine_name TEXT, -- Name of the machine. Field machineName.
  machine_model TEXT, -- Model of the machine. Field machineModel.
  total_price ANY, -- Price of all line items. A number, or text where that has more digits than a double. Field totalPrice.
  total_tax ANY, -- Tax of all line items. A number, or text where that has more digits than a double. Field totalTax.
  payment_information_type TEXT, -- How it was paid: Kind of payment, padded with spaces, such as "A ". Field paymentInformation.type.
  payment_information_credit_information_gateway TEXT, -- How it was paid: Of a card payment: Card gateway. Field paymentInformation.creditInformation.gateway.
  payment_information_credit_information_invoice_number INTEGER, -- How it was paid: Of a card payment: Invoice number. Field paymentInformation.creditInformation.invoiceNumber.
  payment_information_credit_information_card_token TEXT, -- How it was paid: Of a card payment: Token that stands for the card. Field paymentInformation.creditInformation.cardToken.
  payment_information_credit_information_authorization_number TEXT, -- How it was paid: Of a card payment: Authorization of the payment. Field paymentInformation.creditInformation.authorizationNumber.
  payment_information_credit_information_reference_number1 TEXT, -- How it was paid: Of a card payment: First reference of the gateway. Field paymentInformation.creditInformation.referenceNumber1.
  payment_information_credit_information_reference_number2 TEXT, -- How it was paid: Of a card payment: Second reference of the gateway. Field paymentInformation.creditInformation.referenceNumber2.
  payment_information_credit_information_payment_status TEXT, -- How it was paid: Of a card payment: State of the payment. Field paymentInformation.creditInformation.paymentStatus.
  payment_information_account_information_account_number TEXT, -- How it was paid: Of an account payment: Number of the paying account. Field paymentInformation.accountInformation.accountNumber.
  payment_information_account_information_name_on_account TEXT, -- How it was paid: Of an account payment: Name on the paying account. Field paymentInformation.accountInformation.nameOnAccount.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (site_id) REFERENCES sites (id),
  FOREIGN KEY (machine_id) REFERENCES machines (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS transaction_lines ( -- What was sold. One row for each element of lineItems.
  transaction_id TEXT NOT NULL, -- Record of transactions that it is in. An id of transactions, where a row may be missing. Field id.
  position INTEGER NOT NULL, -- Place in lineItems, from 1.
  id INTEGER, -- Identifies the line item. Field id of the line.
  selection TEXT, -- Selection of the machine. Field selection of the line.
  vend_order INTEGER, -- Place in the order of vends. Field vendOrder of the line.
  product_id INTEGER, -- Product sold. Field productId of the line.
  product_name TEXT, -- Name of the product. Field productName of the line.
  product_upc TEXT, -- Bar code of the product. Field productUpc of the line.
  size TEXT, -- Size of the product. Field size of the line.
  tax_rate ANY, -- Tax rate. A number, or text where that has more digits than a double. Field taxRate of the line.
  tax_charged ANY, -- Tax charged. A number, or text where that has more digits than a double. Field taxCharged of the line.
  commission ANY, -- Commission. A number, or text where that has more digits than a double. Field commission of the line.
  quantity INTEGER, -- How many. Field quantity of the line.
  unit_price ANY, -- Price of one. A number, or text where that has more digits than a double. Field unitPrice of the line.
  total_price ANY, -- Price of all. A number, or text where that has more digits than a double. Field totalPrice of the line.
  vend_was_successful INTEGER, -- Whether the product came out. Field vendWasSuccessful of the line.
  recorded_at_utc TEXT, -- When the service recorded it, UTC. Field recordedAtUtc of the line.
  occurred_at_utc TEXT, -- When it happened, UTC. Field occurredAtUtc of the line.
  occurred_at_local_time TEXT, -- When it happened, in the local time of the machine. The time zone is that of the machine's site, else of its organization. Field occurredAtLocalTime of the line.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (transaction_id, position),
  FOREIGN KEY (transaction_id) REFERENCES transactions (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS products ( -- What vendorctl products list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the product. Field id.
  name TEXT, -- Name of the product. Field name.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id)
) STRICT;

CREATE TABLE IF NOT EXISTS selections ( -- What vendorctl selections list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the selection. Field id.
  machine_id INTEGER, -- Machine it belongs to. An id of machines, where a row may be missing. Field machineId.
  selection_number TEXT, -- What a customer enters; unique in its machine. Field selectionNumber.
  friendly_number TEXT, -- The number as people write it. Field friendlyNumber.
  product_id INTEGER, -- Product that is sold; -1 for none. An id of products, where a row may be missing. Field productId.
  price ANY, -- Price of one. A number, or text where that has more digits than a double. Field price.
  invoice_price ANY, -- Price on invoices. A number, or text where that has more digits than a double. Field invoicePrice.
  restock_to INTEGER, -- Stock after a restock. Field restockTo.
  depth INTEGER, -- How many fit in. Field depth.
  count INTEGER, -- Stock; another count is written as an inventory adjustment. Field count.
  is_active INTEGER, -- Whether the selection is in use; set by the service. Field isActive.
  alert_level INTEGER, -- Stock at which an alert is raised. Field alertLevel.
  restock_at INTEGER, -- Stock at which a restock is due. Field restockAt.
  free_count INTEGER, -- How many are free. Field freeCount.
  tax ANY, -- Tax in percent. A number, or text where that has more digits than a double. Field tax.
  commission ANY, -- Commission. A number, or text where that has more digits than a double. Field commission.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (machine_id) REFERENCES machines (id),
  FOREIGN KEY (product_id) REFERENCES products (id)
) STRICT;

CREATE TABLE IF NOT EXISTS templates ( -- What vendorctl templates list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the template. Field id.
  name TEXT, -- Name of the template. Field name.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id)
) STRICT;

CREATE TABLE IF NOT EXISTS template_selections ( -- What vendorctl templates selections returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the selection of the template. Field id.
  template_id INTEGER, -- Template it belongs to. An id of templates, where a row may be missing. Field templateId.
  variant_id INTEGER, -- Variant of the template. Field variantId.
  selection_number TEXT, -- Selection number that it sets. Field selectionNumber.
  product_id INTEGER, -- Product that it sets. An id of products, where a row may be missing. Field productId.
  price ANY, -- Price that it sets. A number, or text where that has more digits than a double. Field price.
  invoice_price ANY, -- Price on invoices that it sets. A number, or text where that has more digits than a double. Field invoicePrice.
  created_at TEXT, -- When it was created. UTC. Field createdAt.
  par INTEGER, -- Stock after a restock that it sets. Field par.
  depth INTEGER, -- How many fit in. Field depth.
  commission ANY, -- Commission that it sets. A number, or text where that has more digits than a double. Field commission.
  tax ANY, -- Tax that it sets. A number, or text where that has more digits than a double. Field tax.
  custom_data1 TEXT, -- First fact of your own. Field customData1.
  custom_data2 TEXT, -- Second fact of your own. Field customData2.
  custom_data3 TEXT, -- Third fact of your own. Field customData3.
  custom_data4 TEXT, -- Fourth fact of your own. Field customData4.
  custom_data5 TEXT, -- Fifth fact of your own. Field customData5.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (template_id) REFERENCES templates (id),
  FOREIGN KEY (product_id) REFERENCES products (id)
) STRICT;

CREATE TABLE IF NOT EXISTS roles ( -- What vendorctl roles list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the role. Field id.
  organization_id INTEGER, -- Organization it belongs to. An id of organizations, where a row may be missing. Field organizationId.
  name TEXT, -- Name of the role. Field name.
  description TEXT, -- What it is for. Field description.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (organization_id) REFERENCES organizations (id)
) STRICT;

CREATE TABLE IF NOT EXISTS machine_rights ( -- What vendorctl roles rights returns, one row for each record.
  machine_id INTEGER NOT NULL, -- Machine that the right is for. An id of machines, where a row may be missing. Field machineId.
  right_id INTEGER NOT NULL, -- The right. Field rightId.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (machine_id, right_id),
  FOREIGN KEY (machine_id) REFERENCES machines (id)
) STRICT;

CREATE TABLE IF NOT EXISTS role_rights ( -- What vendorctl role-rights list returns, one row for each record.
  id INTEGER NOT NULL, -- Identifies the role right. Field id.
  role_id INTEGER, -- Role that has it. An id of roles, where a row may be missing. Field roleId.
  right_id INTEGER, -- The right. Field rightId.
  can_view INTEGER, -- Whether the role may view. Field canView.
  can_edit INTEGER, -- Whether the role may edit. Field canEdit.
  can_execute INTEGER, -- Whether the role may execute. Field canExecute.
  extra TEXT, -- Fields without a column and values that do not fit their column, as a JSON object.
  deleted_at TEXT, -- When the service was found not to return the row any more. UTC.
  PRIMARY KEY (id),
  FOREIGN KEY (role_id) REFERENCES roles (id)
) STRICT;

CREATE INDEX IF NOT EXISTS accounts_organization_id ON accounts (organization_id);

CREATE INDEX IF NOT EXISTS sites_account_id ON sites (account_id);

CREATE INDEX IF NOT EXISTS sites_org_id ON sites (org_id);

CREATE INDEX IF NOT EXISTS machines_organization_id ON machines (organization_id);

CREATE INDEX IF NOT EXISTS machines_site_id ON machines (site_id);

CREATE INDEX IF NOT EXISTS machine_settings_machine_id ON machine_settings (machine_id);

CREATE INDEX IF NOT EXISTS alerts_organization_id ON alerts (organization_id);

CREATE INDEX IF NOT EXISTS alerts_account_id ON alerts (account_id);

CREATE INDEX IF NOT EXISTS alerts_site_id ON alerts (site_id);

CREATE INDEX IF NOT EXISTS alerts_machine_id ON alerts (machine_id);

CREATE INDEX IF NOT EXISTS alerts_alert_code_id ON alerts (alert_code_id);

CREATE INDEX IF NOT EXISTS alerts_raised_at ON alerts (raised_at);

CREATE INDEX IF NOT EXISTS transactions_site_id ON transactions (site_id);

CREATE INDEX IF NOT EXISTS transactions_machine_id ON transactions (machine_id);

CREATE INDEX IF NOT EXISTS transactions_recorded_at_utc ON transactions (recorded_at_utc);

CREATE INDEX IF NOT EXISTS transaction_lines_occurred_at_local_time ON transaction_lines (occurred_at_local_time);

CREATE INDEX IF NOT EXISTS selections_machine_id ON selections (machine_id);

CREATE INDEX IF NOT EXISTS selections_product_id ON selections (product_id);

CREATE INDEX IF NOT EXISTS template_selections_template_id ON template_selections (template_id);

CREATE INDEX IF NOT EXISTS template_selections_product_id ON template_selections (product_id);

CREATE INDEX IF NOT EXISTS roles_organization_id ON roles (organization_id);

CREATE INDEX IF NOT EXISTS role_rights_role_id ON role_rights (role_id);

DROP VIEW IF EXISTS machines_full;

CREATE VIEW machines_full AS -- Machines that are not deleted, with the names of site, account and organization. Local times are in time_zone.
SELECT
  m.id,
  m.name,
  s.name AS site_name,
  a.name AS account_name,
  o.name AS organization_name,
  a.id AS account_id,
  coalesce(s.time_zone, o.time_zone) AS time_zone,
  nullif(max(coalesce(m.last_cash_sale_server, ''), coalesce(m.last_credit_sale_server, ''), coalesce(m.last_account_sale_server, '')), '') AS last_sale_utc,
  round((julianday(coalesce(NULL, 'now')) - julianday(nullif(max(coalesce(m.last_cash_sale_server, ''), coalesce(m.last_credit_sale_server, ''), coalesce(m.last_account_sale_server, '')), ''))) * 24, 1) AS hours_since_sale,
  round((julianday(coalesce(NULL, 'now')) - julianday(m.last_heart_beat_server)) * 24, 1) AS hours_since_heart_beat,
  m.asset_id,
  m.organization_id,
  m.site_id,
  m.type_id,
  m.machine_master_id,
  m.controller_firmware_current,
  m.controller_firmware_pending_update,
  m.pc_firmware_current,
  m.pc_firmware_pending_update,
  m.force_update,
  m.prose,
  m.model_number,
  m.tax_percentage,
  m.commission_percentage,
  m.has_planogram_change,
  m.call_in_code,
  m.enable_account_sales,
  m.enable_cash_sales,
  m.enable_credit_sales,
  m.mode,
  m.is_visible,
  m.created_at,
  m.provisioned_at,
  m.last_heart_beat_server,
  m.last_heart_beat_local,
  m.last_cash_sale_server,
  m.last_cash_sale_local,
  m.last_credit_sale_server,
  m.last_credit_sale_local,
  m.last_account_sale_server,
  m.last_account_sale_local,
  m.extra,
  m.latest_restock_to_picklist_server,
  m.latest_restock_to_picklist_local,
  m.credit_processing_fee,
  m.bluetooth_id,
  m.external_accounts_terminal_id,
  m.can_rollback_firmware,
  m.ignore_door_state,
  m.enable_slot_count_tracking,
  m.use_internet_pricing,
  m.hardware_settings_changed,
  m.use_plangram_price,
  m.use_machine_tax_rate,
  m.use_machine_commission_rate,
  m.offer_sms_receipts
FROM machines m
LEFT JOIN sites s ON s.id = m.site_id
LEFT JOIN accounts a ON a.id = s.account_id
LEFT JOIN organizations o ON o.id = coalesce(m.organization_id, s.org_id)
WHERE m.deleted_at IS NULL;

DROP VIEW IF EXISTS alerts_full;

CREATE VIEW alerts_full AS -- Alerts with the names of machine, site, account and organization. age_hours is the time until it was cleared, or until now.
SELECT
  x.id,
  x.code,
  (SELECT max(c.description) FROM alert_codes c WHERE c.code = x.code) AS description,
  m.name AS machine_name,
  s.name AS site_name,
  a.name AS account_name,
  o.name AS organization_name,
  coalesce(s.time_zone, o.time_zone) AS time_zone,
  x.raised_at_server_time AS raised_at_utc,
  x.cleared_at_server_time AS cleared_at_utc,
  round((julianday(coalesce(x.cleared_at_server_time, 'now')) - julianday(x.raised_at_server_time)) * 24, 1) AS age_hours,
  x.organization_id,
  x.account_id,
  x.site_id,
  x.machine_id,
  x.machine_location,
  x.machine_prose,
  x.alert_code_id,
  x.message,
  x.is_cleared,
  x.raised_at,
  x.cleared_at,
  x.raised_at_server_time,
  x.cleared_at_server_time,
  x.alert_metadata_key,
  x.alert_metadata_value,
  x.extra
FROM alerts x
LEFT JOIN machines m ON m.id = x.machine_id
LEFT JOIN sites s ON s.id = coalesce(x.site_id, m.site_id)
LEFT JOIN accounts a ON a.id = coalesce(x.account_id, s.account_id)
LEFT JOIN organizations o ON o.id = coalesce(x.organization_id, m.organization_id)
LEFT JOIN time_zones z ON z.name = coalesce(s.time_zone, o.time_zone)
WHERE x.deleted_at IS NULL;

DROP VIEW IF EXISTS open_alerts;

CREATE VIEW open_alerts AS -- Alerts that are not cleared; the columns are those of alerts_full.
SELECT * FROM alerts_full WHERE is_cleared IS NOT TRUE;

DROP VIEW IF EXISTS sales_by_day;

CREATE VIEW sales_by_day AS -- Line items by day in the local time of the machine, site, machine and product; days_ago counts from today in UTC. Failed vends count in lines, failed_lines and failed_price only.
SELECT
  substr(l.occurred_at_local_time, 1, 10) AS day,
  CAST(julianday('now', 'start of day') - julianday(substr(l.occurred_at_local_time, 1, 10)) AS INTEGER) AS days_ago,
  t.site_id,
  max(t.site_name) AS site_name,
  t.machine_id,
  max(t.machine_name) AS machine_name,
  l.product_id,
  max(l.product_name) AS product_name,
  count(*) AS lines,
  count(*) FILTER (WHERE l.vend_was_successful IS FALSE) AS failed_lines,
  coalesce(sum(l.quantity) FILTER (WHERE l.vend_was_successful IS NOT FALSE), 0) AS quantity,
  round(coalesce(sum(l.total_price) FILTER (WHERE l.vend_was_successful IS NOT FALSE), 0), 6) AS total_price,
  round(coalesce(sum(l.tax_charged) FILTER (WHERE l.vend_was_successful IS NOT FALSE), 0), 6) AS tax_charged,
  round(coalesce(sum(l.commission) FILTER (WHERE l.vend_was_successful IS NOT FALSE), 0), 6) AS commission,
  round(coalesce(sum(l.total_price) FILTER (WHERE l.vend_was_successful IS FALSE), 0), 6) AS failed_price
FROM transaction_lines l
JOIN transactions t ON t.id = l.transaction_id
WHERE l.deleted_at IS NULL AND t.deleted_at IS NULL
GROUP BY substr(l.occurred_at_local_time, 1, 10), t.site_id, t.machine_id, l.product_id;

DROP VIEW IF EXISTS selections_full;

CREATE VIEW selections_full AS -- Selections that are not deleted, with the names of product, machine, site, account and organization.
SELECT
  x.id,
  p.name AS product_name,
  m.name AS machine_name,
  m.site_id,
  s.name AS site_name,
  a.name AS account_name,
  o.name AS organization_name,
  x.machine_id,
  x.selection_number,
  x.friendly_number,
  x.product_id,
  x.price,
  x.invoice_price,
  x.restock_to,
  x.depth,
  x.count,
  x.is_active,
  x.alert_level,
  x.restock_at,
  x.free_count,
  x.tax,
  x.commission,
  x.extra
FROM selections x
LEFT JOIN products p ON p.id = x.product_id
LEFT JOIN machines m ON m.id = x.machine_id
LEFT JOIN sites s ON s.id = m.site_id
LEFT JOIN accounts a ON a.id = s.account_id
LEFT JOIN organizations o ON o.id = coalesce(m.organization_id, s.org_id)
WHERE x.deleted_at IS NULL;

INSERT INTO vendorctl_mirror (name, value) VALUES ('schema', '2') ON CONFLICT (name) DO UPDATE SET value = excluded.value;
