CREATE TABLE "role_adjustments" (
	"company_id" integer NOT NULL,
	"role" smallint NOT NULL,
	"permission" text NOT NULL,
	"is_held" boolean NOT NULL,
	CONSTRAINT "role_adjustments_company_id_role_permission_pk" PRIMARY KEY("company_id","role","permission")
);
--> statement-breakpoint
ALTER TABLE "role_adjustments" ADD CONSTRAINT "role_adjustments_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;