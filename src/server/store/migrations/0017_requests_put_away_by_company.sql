CREATE TABLE "requests_put_away" (
	"company_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "requests_put_away_user_id_company_id_pk" PRIMARY KEY("user_id","company_id")
);
--> statement-breakpoint
ALTER TABLE "requests_put_away" ADD CONSTRAINT "requests_put_away_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests_put_away" ADD CONSTRAINT "requests_put_away_user_id_invitation_requests_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."invitation_requests"("user_id") ON DELETE cascade ON UPDATE no action;