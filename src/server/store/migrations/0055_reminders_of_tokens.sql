ALTER TABLE "account_notices" ADD COLUMN "type" text DEFAULT 'account.changed' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_notices" ADD COLUMN "company_id" integer;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "reminded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;